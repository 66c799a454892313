# --range: parts of an archive.
. "$(dirname "$0")/lib.sh"

sample text 3000
size=$(wc -c <text)
lmzip -1 --block-size=4KiB -c text >text.lmz
part() { tail -c +$(($1 + 1)) text | head -c "$2" >wanted; }

for range in 0:1 0:10 4095:2 4096:4096 5000:20000; do
  part "${range%:*}" "${range#*:}"
  run 0 lmzip -dc --range=$range text.lmz
  stdout_is wanted
done
run 0 lmzip -dc --range 0: text.lmz
stdout_is text
part 4096 1048576
run 0 lmzip -dc --range=4KiB:1MiB text.lmz
stdout_is wanted
run 0 lmzip -dc --range=4k: text.lmz
stdout_is wanted
# Past the end there is nothing, and that is no error.
run 0 lmzip -dc --range=$size:10 text.lmz
run 0 lmzip -dc --range=1GiB: text.lmz
run 0 lmzip -dc --range=5:0 text.lmz
# To a file; archives one after the other.
cat text.lmz text.lmz >two.lmz
part $((size - 5)) 5
head -c 7 text >>wanted
run 0 lmzip -d -v --range=$((size - 5)):12 two.lmz -o out
stderr "lmzip: two.lmz: 12 of $((2 * size)) bytes from $((size - 5)) on, out"
same out wanted
run 0 lmzip -d --range=0:3 two.lmz
[ "$(cat two)" = lin ] || fail "two is $(cat two)"
run 0 sh -c 'lmzip -dc --range=0:3 - <text.lmz'
printf lin >wanted
stdout_is wanted
# Only damage that is touched matters.
cp text.lmz damaged.lmz
damage damaged.lmz 140
run 4 lmzip -dc --range=0:1 damaged.lmz
stderr_like "lmzip: damaged.lmz: corrupt block 1 at offset *: checksum mismatch"
part 5000 10
run 0 lmzip -dc --range=5000:10 damaged.lmz
stdout_is wanted
head -c 2000 text.lmz >cut.lmz
run 4 lmzip -dc --range=0:1 cut.lmz
stderr_like "lmzip: cut.lmz: truncated: the end with the index is lost*"
run 4 lmzip -dc --range=0:1 text
stderr_like "lmzip: text: not in lmzip format*"
# Limits, wrong use.
run 5 lmzip -dc --range=0:11 --max-output=10 text.lmz
stderr "lmzip: text.lmz: decodes to more than the limit of 10 bytes"
run 5 lmzip -dc --range=0:11 --memlimit=1000 text.lmz
stderr_like "lmzip: text.lmz: memory limit: needs * (raise it with --memlimit)"
run 1 sh -c 'cat text.lmz | lmzip -dc --range=0:3 -'
stderr "lmzip: (standard input): is not a regular file: --range needs one"
for range in 5 :5 '' a:5 5:a 5:-1 -1:5; do
  run 1 lmzip -dc --range="$range" text.lmz
  stderr "lmzip: --range=$range: not OFFSET:LENGTH, such as 1MiB:4KiB, or OFFSET: (try lmzip --help)"
done
for option in '' -t -l; do
  run 1 lmzip $option --range=0:1 text.lmz
  stderr "lmzip: --range goes with decompressing only (try lmzip --help)"
done
for option in --keep-going --rm; do
  run 1 lmzip -d $option --range=0:1 text.lmz
  stderr "lmzip: --range does not go with --keep-going or --rm (try lmzip --help)"
done
finish
