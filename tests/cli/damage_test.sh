# Members, trailing data, damaged, foreign, empty archives and repair.
. "$(dirname "$0")/lib.sh"

sample a
sample b 700
run 0 lmzip a b
cat a.lmz b.lmz >ab.lmz
cat a b >wanted
run 0 lmzip -d ab.lmz
same ab wanted
run 0 lmzip -tv ab.lmz
stderr "lmzip: ab.lmz: intact, $(stat -c %s wanted) bytes in 2 blocks"

# Zeros at the end are padding, anything else is not; the valid part still gets out of a pipe.
{ cat a.lmz; head -c 5000 /dev/zero; } >padded.lmz
run 0 lmzip -t padded.lmz
run 0 lmzip -dc padded.lmz
stdout_is a
{ cat a.lmz; echo tail; } >tail.lmz
run 4 lmzip -dc tail.lmz
stdout_is a
stderr_like "lmzip: tail.lmz: *"
run 4 lmzip -t tail.lmz
stderr_like "lmzip: tail.lmz: *"
run 4 lmzip -d tail.lmz
stderr_like "lmzip: tail.lmz: *"
check "no file from an archive with other data behind" test ! -e tail

# Empty input is fine, an empty archive is not.
: >empty
run 0 lmzip empty
check "an archive of nothing is something" test -s empty.lmz
run 0 lmzip -dc empty.lmz
rm empty
run 0 lmzip -d empty.lmz
check "nothing comes back" test -f empty -a ! -s empty
: >void.lmz
for option in -t -dc -l; do
  run 4 lmzip $option void.lmz
  stderr_like "lmzip: void.lmz: *"
done
run 4 lmzip -d void.lmz
stderr_like "lmzip: void.lmz: *"
check "no file from nothing" test ! -e void

# Every cut and some flips: exit status 4, nothing wrong on standard output, no file.
size=$(stat -c %s a.lmz)
cut=1
while [ $cut -lt "$size" ]; do
  head -c $cut a.lmz >cut.lmz
  lmzip -dc cut.lmz >out 2>/dev/null
  status=$?
  [ $status = 4 ] || fail "cut at $cut: exit status $status"
  cmp -s -n "$(stat -c %s out)" out a || [ ! -s out ] || fail "cut at $cut: wrong bytes"
  cut=$((cut + 13))
done
at=0
while [ $at -lt "$size" ]; do
  cp a.lmz flip.lmz
  damage flip.lmz $at
  lmzip -dc flip.lmz >out 2>/dev/null
  status=$?
  [ $status = 4 ] || [ $status = 6 ] || fail "flip at $at: exit status $status"
  cmp -s -n "$(stat -c %s out)" out a || [ ! -s out ] || fail "flip at $at: wrong bytes"
  at=$((at + 17))
done

# --keep-going and repair save the rest.
clean
for i in 1 2 3 4; do
  head -c 4096 /dev/urandom >part$i
done
cat part1 part2 part3 part4 >whole
run 0 lmzip --block-size=4k whole
size=$(stat -c %s whole.lmz)
cp whole.lmz hurt.lmz
damage hurt.lmz 6500
run 4 lmzip -d hurt.lmz
stderr_like "lmzip: hurt.lmz: corrupt block 2 at offset *"
check "no file" test ! -e hurt
run 4 lmzip -dc hurt.lmz
stdout_is part1
stderr_like "lmzip: hurt.lmz: corrupt block 2 at offset *"
run 4 lmzip -d --keep-going hurt.lmz
stderr_like "lmzip: hurt.lmz: corrupt block 2 at offset *: *: 4096 bytes from 4096 on are lost, zeros stand for them"
{ cat part1; head -c 4096 /dev/zero; cat part3 part4; } >wanted
same hurt wanted
run 4 lmzip repair hurt.lmz -o saved.lmz
check "repair names what is lost" grep -q 'lmzip: hurt.lmz: corrupt block 2 at offset [0-9]*: .*: 4096 bytes from 4096 on are lost' "$work/out/stderr"
check "repair counts" grep -qx 'lmzip: hurt.lmz: saved 12288 bytes in 3 blocks' "$work/out/stderr"
: >"$work/out/stderr"
run 0 lmzip -dc saved.lmz
cat part1 part3 part4 >wanted
stdout_is wanted
run 1 lmzip repair hurt.lmz
stderr "lmzip: one archive and an output needed: lmzip repair DAMAGED -o NEW (try lmzip --help)"
run 1 lmzip repair hurt.lmz -o saved.lmz
stderr "lmzip: saved.lmz: already exists (use -f to replace it)"
run 4 lmzip repair --json -qqf hurt.lmz -o saved.lmz
check "repair in JSON" python3 -c '
import json, sys
line = json.load(open(sys.argv[1]))
assert line["name"] == "hurt.lmz" and line["blocks"] == 3 and line["plain_bytes"] == 12288, line
assert [(d["plain_offset"], d["plain_bytes"]) for d in line["lost"]] == [(4096, 4096)], line' "$work/out/stdout"
: >"$work/out/stdout"
run 0 lmzip repair -q whole.lmz -o again.lmz
same whole.lmz again.lmz
run 4 lmzip repair part1 -o none.lmz
stderr_like "lmzip: part1: *not in lmzip format"
check "no file without a block" test ! -e none.lmz
finish
