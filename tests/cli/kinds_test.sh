# Directories, links, FIFOs, devices, /proc and missing files.
. "$(dirname "$0")/lib.sh"

sample a
mkdir d
run 2 lmzip d a
stderr "lmzip: d: is a directory, skipped (use -r to go into it)"
files a a.lmz d
run 2 lmzip -d d
stderr "lmzip: d: is a directory, skipped (use -r to go into it)"
for option in -c -t -l -dc; do
  run 2 lmzip $option d
  stderr "lmzip: d: is a directory, skipped (use -r to go into it)"
done
run 0 lmzip --no-warn -q d
run 1 lmzip -f a -o d
stderr "lmzip: d: is a directory"
clean

# One missing file does not stop the others.
sample a
sample c
run 1 lmzip a b c
stderr "lmzip: b: cannot open: No such file or directory"
files a a.lmz c c.lmz
run 1 lmzip -dc b.lmz
stderr "lmzip: b.lmz: cannot open: No such file or directory"
run 1 lmzip -d b.lmz b
stderr "lmzip: b.lmz: cannot open: No such file or directory${nl}lmzip: b: cannot open: No such file or directory"
run 1 lmzip a/b
stderr "lmzip: a/b: cannot open: Not a directory"
clean

# -r takes regular files only.
mkdir -p d/e/f
sample d/a
sample d/e/b
sample d/e/f/c.lmz
ln -s ../a d/e/link
ln -s /etc d/etc
mkfifo d/fifo
run 0 lmzip -r d
(cd d && find . | LC_ALL=C sort | tr '\n' ' ') >found
[ "$(cat found)" = ". ./a ./a.lmz ./e ./e/b ./e/b.lmz ./e/f ./e/f/c.lmz ./e/link ./etc ./fifo " ] ||
  fail "-r: $(cat found)"
rm d/a d/e/b d/e/f/c.lmz
run 0 lmzip -dr d
check "-dr gives the files back" test -f d/a -a -f d/e/b
run 0 lmzip -tr d
ln -s d link
run 2 lmzip -r link
stderr "lmzip: link: is a symbolic link, skipped (use -f or -c to follow it)"
clean

# Symbolic links.
sample a
ln -s a link
run 2 lmzip link
stderr "lmzip: link: is a symbolic link, skipped (use -f or -c to follow it)"
run 0 lmzip -f link
files a link link.lmz
check "the archive is a file" test ! -h link.lmz
run 0 lmzip -c link
: >"$work/out/stdout"
ln -s link.lmz l.lmz
run 0 lmzip -t l.lmz
run 2 lmzip -d l.lmz
stderr "lmzip: l.lmz: is a symbolic link, skipped (use -f or -c to follow it)"
ln -s none dangling
run 1 lmzip -f dangling
stderr "lmzip: dangling: cannot open: No such file or directory"
clean

# Hard links and links are not removed.
sample a
ln a b
ln -s a link
run 0 lmzip a
run 2 lmzip -f --rm a
stderr "lmzip: a: has several hard links, skipped (it cannot be used with --rm)"
run 2 lmzip -f --rm link
stderr "lmzip: link: is a symbolic link, skipped (it cannot be used with --rm)"
files a a.lmz b link
clean

# FIFOs, devices and /proc.
mkfifo fifo
run 2 lmzip fifo
stderr "lmzip: fifo: is not a regular file, skipped (use -c or -o)"
run 2 lmzip /dev/null
stderr "lmzip: /dev/null: is not a regular file, skipped (use -c or -o)"
sample a
cat a >fifo &
run 0 lmzip -c fifo
cp "$work/out/stdout" b.lmz && : >"$work/out/stdout"
run 0 lmzip -dc b.lmz
stdout_is a
cat a >fifo &
run 0 lmzip fifo -o c.lmz
same b.lmz c.lmz
check "mode of a file made from a FIFO" test "$(stat -c %a c.lmz)" = 644
run 1 lmzip -d fifo.lmz
: >"$work/out/stderr"
run 0 lmzip -c /dev/null
: >"$work/out/stdout"
run 0 lmzip a -o /dev/null
check "/dev/null is still a device" test -c /dev/null
cp /proc/version version
run 0 lmzip /proc/version -o v.lmz
run 0 lmzip -dc v.lmz
stdout_is version
(cat c.lmz >fifo &)
run 0 lmzip -t fifo
rm fifo
mkfifo fifo
cat fifo >d &
run 0 lmzip -d c.lmz -o fifo
wait
same a d
finish
