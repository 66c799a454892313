# lmzip tune: which level suits.
. "$(dirname "$0")/lib.sh"

# No figure of a speed is looked at: speeds of at least 1 byte a second are asked for, or of 10^15.
slow=--min-speed=0.000001
fast=--min-speed=1000000000

# json KEY: the value of a key of the object printed last; numbers, words or lists without objects.
json() { sed -n 's/.*"'"$1"'":\([^],}]*\).*/\1/p' "$work/out/stdout"; }

cat "$root/man/lmzip.1" "$root/formats/SPEC.md" >text
size=$(wc -c <text)
lmzip -1 -c text >one
lmzip -3 -c text >three

# The table: sizes are those of real archives, the star stands at the smallest.
run 0 lmzip tune --levels=1,3 $slow text
grep -q "^Sample: $size of $size bytes in 1 file\$" "$work/out/stdout" || fail "no line about the sample"
grep -qE "^  +1  zstd 0 +$(wc -c <one) " "$work/out/stdout" || fail "no line of level 1"
grep -qE "^\* +3  zstd 0 +$(wc -c <three) " "$work/out/stdout" || fail "no star at level 3"
grep -qx 'Level 3 is the smallest with at least 1e-06 MB/s in: lmzip -3 FILE...' "$work/out/stdout" || fail "no sentence"
check "five lines" [ "$(wc -l <"$work/out/stdout")" = 5 ]
: >"$work/out/stdout"

# JSON: one object, all keys in this order.
run 0 lmzip tune --json --levels=1-2,2,1 $slow text
keys=$(grep -oE '"[a-z_]+":' "$work/out/stdout" | tr -d '":' | tr '\n' ' ')
level='level methods compressed_bytes ratio compress_speed decompress_speed compress_memory decompress_memory fits'
wanted="files plain_bytes sample_bytes min_speed min_speed_out max_memory levels $level $level equal_levels recommended nearest command "
[ "$keys" = "$wanted" ] || fail "keys are: $keys"
[ "$(json sample_bytes)" = "$size" ] || fail "sample_bytes is $(json sample_bytes)"
[ "$(json min_speed)" = 1 ] || fail "min_speed is $(json min_speed)"
[ "$(json min_speed_out)" = null ] || fail "min_speed_out is $(json min_speed_out)"
[ "$(json recommended)" = 2 ] || fail "recommended is $(json recommended)"
[ "$(json command)" = '"lmzip -2"' ] || fail "command is $(json command)"
check "one line" [ "$(wc -l <"$work/out/stdout")" = 1 ]
: >"$work/out/stdout"

# Memory is what the program states elsewhere.
run 0 lmzip tune --json --levels=1 $slow text
memory=$(json compress_memory)
out_memory=$(json decompress_memory)
: >"$work/out/stdout"
run 5 lmzip --memlimit=1 -1 -c text
stderr_like "lmzip: text: memory limit: needs $memory bytes*"
run 0 lmzip info --json one
[ "$(json memory_per_block)" = "$out_memory" ] || fail "memory to decompress is $out_memory"
: >"$work/out/stdout"

# Levels that give the same bytes as a lower one are left out.
head -c 300000 /dev/zero >zeros
run 0 lmzip tune --json --levels=1-3 $slow zeros
[ "$(json equal_levels | tr -d '[]')" = '{"level":2' ] || fail "equal levels: $(json equal_levels)"
[ "$(json recommended)" = 1 ] || fail "recommended is $(json recommended)"
: >"$work/out/stdout"
run 0 lmzip tune --levels=1-3 $slow zeros
grep -qx 'Level 3 gives the same bytes as level 1.' "$work/out/stdout" || fail "level 3 is not left out"
: >"$work/out/stdout"

# Nothing keeps to the budget: the table, the nearest level, exit status 1.
run 1 lmzip tune --levels=1-2 --max-memory=1MiB text
stderr_like "lmzip: no level keeps to the budget; level 1 comes nearest with * MB/s in, * MB/s out, * MiB in, * MiB out"
check "no star" [ "$(grep -c '^\*' "$work/out/stdout")" = 0 ]
: >"$work/out/stdout"
run 1 lmzip tune --json --levels=1-2 $slow --max-memory=1MiB text
stderr_like "lmzip: no level keeps to the budget; *"
[ "$(json recommended)" = null ] || fail "recommended is $(json recommended)"
[ "$(json nearest)" = 1 ] || fail "nearest is $(json nearest)"
[ "$(json max_memory)" = 1048576 ] || fail "max_memory is $(json max_memory)"
: >"$work/out/stdout"
for limit in $fast --min-speed-out=1000000000; do
  run 1 lmzip tune --json --levels=1 "$limit" text
  stderr_like "lmzip: no level keeps to the budget; *"
  [ "$(json fits)" = false ] || fail "$limit: fits is $(json fits)"
  : >"$work/out/stdout"
done

# A sample of large files: whole pieces from all over them; several files, directories, pipes.
mkdir -p dir/inner
for i in 1 2 3; do head -c 1500000 /dev/zero | tr '\000' "$i" >dir/part$i; done
mv dir/part3 dir/inner
cp one dir/archive.lmz
run 0 lmzip tune --json --levels=1 $slow --sample=3MiB dir text
[ "$(json files)" = 4 ] || fail "files is $(json files)"
[ "$(json plain_bytes)" = $((4500000 + size)) ] || fail "plain_bytes is $(json plain_bytes)"
[ "$(json sample_bytes)" = 3145728 ] || fail "sample_bytes is $(json sample_bytes)"
: >"$work/out/stdout"
run 0 lmzip tune --json --levels=1 $slow --sample=3000000 dir
[ "$(json sample_bytes)" = 2097152 ] || fail "pieces are not whole: $(json sample_bytes)"
: >"$work/out/stdout"
run 0 lmzip tune --json --levels=1 $slow --sample 1000 dir
[ "$(json sample_bytes)" = 1000 ] || fail "sample_bytes is $(json sample_bytes)"
: >"$work/out/stdout"
run 0 sh -c "cat text | lmzip tune --json --levels=1 $slow --sample=10000 -"
[ "$(json plain_bytes)" = 10000 ] || fail "plain_bytes is $(json plain_bytes)"
[ "$(json files)" = 1 ] || fail "files is $(json files)"
: >"$work/out/stdout"

# What cannot be read is said; the rest is measured.
run 1 lmzip tune --json --levels=1 $slow missing text
stderr "lmzip: missing: cannot open: No such file or directory"
[ "$(json recommended)" = 1 ] || fail "recommended is $(json recommended)"
: >"$work/out/stdout"
run 1 lmzip tune missing
stderr "lmzip: missing: cannot open: No such file or directory"
: >empty
run 1 lmzip tune empty
stderr "lmzip: there is nothing to measure"
run 1 sh -c "lmzip tune --levels=1 $slow text >/dev/full"
stderr "lmzip: (standard output): I/O error while writing: No space left on device"

# Wrong usage.
run 1 lmzip tune
stderr "lmzip: tune: no file given (- is standard input) (try lmzip --help)"
for list in 0 10 3-1 1,,2 1- x ''; do
  run 1 lmzip tune --levels="$list" text
  stderr "lmzip: tune: --levels=$list: not a list of levels such as 1-3,6 (try lmzip --help)"
done
for speed in 0 -1 x nan inf 1e30 1x; do
  run 1 lmzip tune --min-speed=$speed text
  stderr "lmzip: tune: --min-speed=$speed: not a number of MB/s such as 20 or 0.5 (try lmzip --help)"
done
for option in sample max-memory; do
  run 1 lmzip tune --$option=0 text
  stderr "lmzip: tune: --$option=0: not a size such as 64MiB (try lmzip --help)"
done
run 1 lmzip tune --sing text
stderr_like "lmzip: tune: *sing* (try lmzip --help)"

# Every option of the help is in the manual page.
run 0 lmzip tune --help
grep -oE -e '--[a-z-]+' "$work/out/stdout" | sort -u >options
: >"$work/out/stdout"
tr -d '\\' <"$root/man/lmzip-tune.1" >page
while read -r option; do
  grep -qF -e "$option" page || fail "lmzip-tune.1 lacks $option"
  grep -qF -e "$option" "$root/app/completions/lmzip.bash" || fail "lmzip.bash lacks $option"
  grep -qF -e "$option" "$root/app/completions/_lmzip" || fail "_lmzip lacks $option"
  grep -qE -e " -l ${option#--}( |\$)" "$root/app/completions/lmzip.fish" || fail "lmzip.fish lacks $option"
done <options

# A signal ends it at once.
head -c 8000000 /dev/urandom >noise
lmzip tune noise >/dev/null 2>&1 &
sleep 0.2
kill -TERM $! 2>/dev/null
wait $! 2>/dev/null
[ $? = 143 ] || fail "TERM: exit status is not 143"
command=
finish
