# --window: repeats beyond a block.
. "$(dirname "$0")/lib.sh"

seq 1 200000 >one
{ cat one; seq 5000000 5200000; cat one; } >text
run 0 lmzip -4 --block-size=1MiB --window=0 -c text
far=$(wc -c <"$work/out/stdout")
: >"$work/out/stdout"
run 0 lmzip -4 --block-size=1MiB -fk text
[ "$(wc -c <text.lmz)" -lt $((far * 4 / 5)) ] || fail "repeats were not found"
run 0 lmzip -dc text.lmz
stdout_is text
run 0 sh -c 'lmzip -dc -T2 <text.lmz'
stdout_is text
run 0 sh -c 'lmzip -4 --block-size=1MiB -c <text'
stdout_is text.lmz
tail -c +3000001 text | head -c 5000 >wanted
run 0 lmzip -dc --range=3000000:5000 text.lmz
stdout_is wanted
: >"$work/out/stdout"
run 0 lmzip info -v text.lmz
grep -q "repeats from up to 64.0 MiB before a block" "$work/out/stdout" || fail "info tells no window"
grep -q "and repeats: " "$work/out/stdout" || fail "info tells no repeats"
: >"$work/out/stdout"
run 5 lmzip -d --memlimit=64MiB -c text.lmz
stderr_like "lmzip: text.lmz: *memory*"
