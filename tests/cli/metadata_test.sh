# Permissions, times and owner of the new file.
. "$(dirname "$0")/lib.sh"

sample a
chmod 640 a
touch -d '2001-02-03 04:05:06.123456789 UTC' a
wanted=$(stat -c '%a %y' a)
run 0 lmzip a
[ "$(stat -c '%a %y' a.lmz)" = "$wanted" ] || fail "compress: $(stat -c '%a %y' a.lmz), not $wanted"
run 0 lmzip -f a -o b.lmz
[ "$(stat -c '%a %y' b.lmz)" = "$wanted" ] || fail "-o: $(stat -c '%a %y' b.lmz)"
rm a
run 0 lmzip -d a.lmz
[ "$(stat -c '%a %y' a)" = "$wanted" ] || fail "decompress: $(stat -c '%a %y' a)"

# Special bits are not kept.
chmod 6755 a
run 0 lmzip -f a
[ "$(stat -c %a a.lmz)" = 755 ] || fail "special bits: $(stat -c %a a.lmz)"
chmod 1755 a
run 0 lmzip -f a
[ "$(stat -c %a a.lmz)" = 755 ] || fail "sticky bit: $(stat -c %a a.lmz)"
chmod 400 a
run 0 lmzip -f a
[ "$(stat -c %a a.lmz)" = 400 ] || fail "read-only: $(stat -c %a a.lmz)"

# From standard input the umask decides.
(umask 027 && lmzip -o c.lmz <a) || fail "-o from stdin"
[ "$(stat -c %a c.lmz)" = 640 ] || fail "umask: $(stat -c %a c.lmz)"
(umask 000 && lmzip -o d.lmz <a) || fail "-o from stdin"
[ "$(stat -c %a d.lmz)" = 666 ] || fail "umask 0: $(stat -c %a d.lmz)"

# While it is written the file is for its owner alone.
mkfifo in
lmzip -o e.lmz in &
exec 3>in
echo x >&3
tries=0
until ls .lmzip-*.tmp >/dev/null 2>&1 || [ $tries = 100 ]; do
  sleep 0.05
  tries=$((tries + 1))
done
[ "$(stat -c %a .lmzip-*.tmp)" = 600 ] || fail "mode while writing: $(stat -c %a .lmzip-*.tmp)"
check "no final name yet" test ! -e e.lmz
exec 3>&-
wait
check "final name" test -f e.lmz

# Owner and group, as root.
if [ "$(id -u)" = 0 ]; then
  chown 1234:2345 a
  run 0 lmzip -f a
  [ "$(stat -c %u:%g a.lmz)" = 1234:2345 ] || fail "owner: $(stat -c %u:%g a.lmz)"
fi

# No name and no time in the archive: equal bytes for equal data.
clean
sample a
sample b
touch -d '1999-01-01' b
run 0 lmzip a b
same a.lmz b.lmz
run 0 lmzip -T3 -f a -o c.lmz
same a.lmz c.lmz
run 0 env TZ=Asia/Tokyo LC_ALL=C lmzip -f a -o c.lmz
same a.lmz c.lmz
run 0 lmzip --name a -o d.lmz
check "the name is stored" grep -q a d.lmz
run 0 lmzip -lv d.lmz
check "the name is listed" grep -q 'stored name: a$' "$work/out/stdout"
: >"$work/out/stdout"
run 0 lmzip -f --name=other a -o d.lmz
run 0 lmzip info d.lmz
check "another name is listed" grep -q 'stored name: other$' "$work/out/stdout"
: >"$work/out/stdout"
finish
