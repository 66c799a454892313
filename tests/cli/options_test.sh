# Options, their places and their errors.
. "$(dirname "$0")/lib.sh"

sample a
cp a wanted

# Anywhere, joined, with values in each form.
run 0 lmzip a -c
cp "$work/out/stdout" a.ref && : >"$work/out/stdout"
for form in '-c a' 'a -c' '-kc a' '-cT1 a' '-c -T 1 a' '-c --threads=1 a' '-c --threads 1 a' '-ck6 a' \
  '--stdout a' '-6c -- a' '-o - a' '-o- a' '--output=- a' '-o /dev/stdout a' '-T4 -c a' '-c -T0 a' '-c6 a'; do
  run 0 lmzip $form
  stdout_is a.ref
done
for form in '-dc a.ref' '-cd a.ref' 'a.ref -dc' '-d -c -- a.ref' '--decompress --stdout a.ref' '-d a.ref -o -'; do
  run 0 lmzip $form
  stdout_is wanted
done
files a a.ref wanted

# Standard input by no name and by -.
lmzip <a >b || fail "stdin to stdout"
cmp -s b a.ref || fail "stdin to stdout: other bytes"
lmzip - <a >b || fail "- to stdout"
cmp -s b a.ref || fail "- to stdout: other bytes"
lmzip -d - <a.ref >b || fail "-d -"
cmp -s b wanted || fail "-d -: other bytes"
lmzip -dc a.ref - <a.ref >b || fail "-dc FILE -"
cat wanted wanted | cmp -s - b || fail "-dc FILE -: other bytes"
lmzip -o c.lmz <a || fail "stdin to -o"
cmp -s c.lmz a.ref || fail "stdin to -o: other bytes"

# Levels.
for level in 1 2 3 4 5 6 7 8 9; do
  run 0 lmzip -$level a -o level$level
  run 0 lmzip -dc level$level
  stdout_is wanted
done
run 0 lmzip --fast -f a -o fast
same fast level1
run 0 lmzip --best -f a -o best
same best level9
run 1 lmzip -0 a
stderr "lmzip: unknown option -0 (try lmzip --help)"
run 1 lmzip -19 a
stderr "lmzip: -19: levels are -1 to -9 (try lmzip --help)"
run 0 lmzip -9k1 -f a -o last
same last level1

# Errors touch no file.
clean
sample a
run 1 lmzip --frobnicate a
stderr "lmzip: unknown option --frobnicate (try lmzip --help)"
run 6 lmzip --model=x a
stderr "lmzip: x: no such model file, and no model of that id is known (lmzip model list shows them)"
run 1 lmzip --bases=x a
stderr "lmzip: unknown option --bases=x (try lmzip --help)"
run 1 lmzip --embed-model a
stderr "lmzip: --embed-model: level 6 has no model (8 and 9 do)"
run 1 lmzip -kz a
stderr "lmzip: unknown option -z (try lmzip --help)"
run 1 lmzip --force=maybe a
stderr "lmzip: an option that takes no value was given one (try lmzip --help)"
run 1 lmzip a -o
stderr "lmzip: -o needs a value (try lmzip --help)"
run 1 lmzip a --memlimit
stderr "lmzip: --memlimit needs a value (try lmzip --help)"
run 1 lmzip -o b a a
stderr "lmzip: -o takes one input file (use -c to join several) (try lmzip --help)"
run 1 lmzip -o b -c a
stderr "lmzip: -o and -c contradict each other (try lmzip --help)"
run 1 lmzip -o b -r a
stderr "lmzip: -o and -r contradict each other (try lmzip --help)"
run 1 lmzip -t -o b a
stderr "lmzip: -o does not go with -t, -l or info: they write no file (try lmzip --help)"
for form in '--rm -c' '-c --rm' '--rm -t' '-t --rm' '-l --rm'; do
  run 1 lmzip $form a
  stderr "lmzip: --rm does not go with -c, -t, -l or a command: nothing would be left of the file (try lmzip --help)"
done
run 1 lmzip --json a
stderr "lmzip: --json goes with -l, -t, info and repair (try lmzip --help)"
run 1 lmzip -d --name a
stderr "lmzip: --name goes with compressing only (try lmzip --help)"
files a

# Values.
for value in '' x 1x 1KB 1.5m -1 99999999999999999999 18446744073709551615k 4095 1025m; do
  run 1 lmzip "--block-size=$value" a
  stderr_like "lmzip: --block-size=$value: not a size * (try lmzip --help)"
done
for value in 4096 4k 4K 4KiB 4096B 1m 1MiB 1g 1GiB; do
  run 0 lmzip "--block-size=$value" -f a
done
for value in '' x 1x -1 1025GiB; do
  run 1 lmzip "--window=$value" a
  stderr_like "lmzip: --window=$value: not a size * (try lmzip --help)"
done
for value in 0 1 64MiB 1024GiB; do
  run 0 lmzip "--window=$value" -f a
done
for value in '' x -1 1025 1.5; do
  run 1 lmzip "--threads=$value" a
  stderr "lmzip: --threads=$value: not a number from 0 to 1024 (try lmzip --help)"
done
for value in '' x 0% 101% %; do
  run 1 lmzip "--memlimit=$value" a
  stderr "lmzip: --memlimit=$value: not a size such as 512MiB, a percentage or none (try lmzip --help)"
done
for value in none 100% 4GiB; do
  run 0 lmzip "--memlimit=$value" -f a
done
run 1 lmzip --progress=nice a
stderr "lmzip: --progress=nice: not json (try lmzip --help)"

# Help and version go to standard output and touch nothing.
clean
run 0 lmzip --help a
check "help shows the usage" grep -q '^Usage: lmzip' "$work/out/stdout"
cp "$work/out/stdout" "$work/out/help" && : >"$work/out/stdout"
run 0 lmzip -h
stdout_is "$work/out/help"
run 0 lmzip --version
check "version" grep -q '^lmzip [0-9]*\.[0-9]*\.[0-9]*$' "$work/out/stdout"
check "format version" grep -q '^format version 0$' "$work/out/stdout"
: >"$work/out/stdout"
run 0 lmzip -Vv
check "codec data" grep -q '^codec data [0-9a-f]*$' "$work/out/stdout"
: >"$work/out/stdout"
run 1 sh -c 'lmzip --help >/dev/full'
stderr "lmzip: (standard output): I/O error while writing: No space left on device"
files
finish
