# Existing output, --rm, and files that must survive.
. "$(dirname "$0")/lib.sh"

sample a
echo precious >a.lmz
cp a.lmz old
run 1 lmzip a
stderr "lmzip: a.lmz: already exists (use -f to replace it)"
same a.lmz old
run 1 lmzip a -o a.lmz
stderr "lmzip: a.lmz: already exists (use -f to replace it)"
run 0 lmzip -f a
run 0 lmzip -t a.lmz
cp a wanted
run 1 lmzip -d a.lmz
stderr "lmzip: a: already exists (use -f to replace it)"
run 0 lmzip -df a.lmz
same a wanted

# A damaged archive does not cost the file it would have replaced.
size=$(stat -c %s a.lmz)
head -c $((size - 20)) a.lmz >b.lmz
echo precious >b
run 4 lmzip -df b.lmz
stderr_like "lmzip: b.lmz: truncated*"
[ "$(cat b)" = precious ] || fail "-df lost the old file"
damage a.lmz $((size / 2))
run 4 lmzip -df a.lmz
stderr_like "lmzip: a.lmz: corrupt block 1 at offset *"
same a wanted
clean

# An existing link is replaced, never written through.
sample a
echo precious >victim
ln -s victim a.lmz
run 1 lmzip a
stderr "lmzip: a.lmz: already exists (use -f to replace it)"
run 0 lmzip -f a
check "the link is replaced" test ! -h a.lmz
[ "$(cat victim)" = precious ] || fail "written through a link"
rm a.lmz
ln -s none a.lmz
run 1 lmzip a
stderr "lmzip: a.lmz: already exists (use -f to replace it)"
check "dangling link is still there" test -h a.lmz
check "nothing behind the link" test ! -e none
clean

# Output and input are one file.
sample a
cp a wanted
ln a hard
ln -s a soft
mkdir d
for out in a ./a d/../a hard soft; do
  run 1 lmzip -f a -o $out
  stderr "lmzip: $out: is the input file itself"
done
same a wanted
sh -c 'lmzip -c a >>a' 2>"$work/out/err"
[ $? = 1 ] || fail "appending to the input"
grep -qx 'lmzip: a: is the input and the output' "$work/out/err" || fail "appending: message"
same a wanted
clean

# --rm removes when all is well, and only then.
sample a
run 0 lmzip -k a
rm a.lmz
run 0 lmzip --rm a
files a.lmz
run 0 lmzip -d --rm a.lmz
files a
echo old >a.lmz
run 1 lmzip --rm a
stderr "lmzip: a.lmz: already exists (use -f to replace it)"
files a a.lmz
run 0 lmzip -f --rm a
files a.lmz
damage a.lmz $(($(stat -c %s a.lmz) / 2))
run 4 lmzip -d --rm a.lmz
stderr_like "lmzip: a.lmz: corrupt block 1 at offset *"
files a.lmz
run 4 lmzip -d --rm --keep-going a.lmz
check "--keep-going reports" grep -q 'corrupt block 1' "$work/out/stderr"
: >"$work/out/stderr"
check "a damaged archive stays" test -f a.lmz
clean
sample a
run 2 lmzip --rm a -o /dev/null
stderr "lmzip: a: not removed"
files a

# The syncs of --rm come before the removal.
if strace -V >/dev/null 2>&1 && strace -o /dev/null true 2>/dev/null; then
  run 0 strace -f -e trace=fsync,rename,renameat2,unlink -o "$work/trace" lmzip --rm a
  order=$(sed -n 's/^[0-9]* *\([a-z]*\).*(.*/\1/p' "$work/trace" | tr '\n' ' ')
  case $order in
    'fsync renameat fsync unlink ' | 'fsync rename fsync unlink ') ;;
    *) fail "order of calls: $order" ;;
  esac
fi
finish
