# -l, -t, info, verify and JSON.
. "$(dirname "$0")/lib.sh"

head -c 1000 /dev/zero >a
run 0 lmzip a
size=$(stat -c %s a.lmz)
run 0 lmzip -l a.lmz
head -n 1 "$work/out/stdout" >line
check "heading" grep -qx 'Members  *Blocks  *Compressed  *Uncompressed  *Ratio  *Check  *Method  *Name' line
tail -n +2 "$work/out/stdout" >line
check "line" grep -qx " *1  *1  *$size  *1000  *[0-9.]* %  *XXH3  *fill [0-9]*  *a.lmz" line
check "one line" test "$(wc -l <line)" = 1
cp "$work/out/stdout" listed && : >"$work/out/stdout"
lmzip -l <a.lmz | sed 's/(standard input)/a.lmz/' >line || fail "-l from a pipe"
same line listed
cat a.lmz a.lmz a.lmz >b.lmz
run 0 lmzip -l a.lmz b.lmz
tail -n 1 "$work/out/stdout" >line
check "sum" grep -qx " *4  *4  *$((4 * size))  *4000  *[0-9.]* %  *XXH3  *fill [0-9]*  *(2 files)" line
: >"$work/out/stdout"
run 4 lmzip -l a
stderr "lmzip: a: not in lmzip format"

run 0 lmzip -l --json a.lmz b.lmz
check "JSON list" python3 -c '
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
size = int(sys.argv[2])
one, three = lines
assert one["name"] == "a.lmz" and one["members"] == one["blocks"] == 1, one
assert one["compressed_bytes"] == size and one["plain_bytes"] == 1000, one
assert one["ratio"] == size / 1000 and one["check"] == "XXH3" and one["methods"][0].startswith("fill "), one
assert one["stored_names"] == [] and one["memory_per_block"] > 0 and "codec_data" in one, one
assert three["members"] == 3 and three["plain_bytes"] == 3000, three' "$work/out/stdout" "$size"
: >"$work/out/stdout"
odd=$(printf 'bad\377,\nname.lmz')
cp a.lmz "$odd"
run 0 lmzip -l --json "$odd"
check "JSON carries any name" python3 -c '
import json, sys
line = json.load(open(sys.argv[1]))
assert bytes.fromhex(line["name_hex"]) == b"bad\xff,\nname.lmz", line
assert line["name"] == "bad\ufffd,\nname.lmz", line' "$work/out/stdout"
: >"$work/out/stdout"

run 0 lmzip --strong -f a
run 0 lmzip -l --json a.lmz
check "--strong is listed" grep -q '"check":"XXH3+SHA-256"' "$work/out/stdout"
: >"$work/out/stdout"

run 0 lmzip -t a.lmz
run 0 lmzip verify a.lmz
run 0 lmzip -t --json a.lmz
stdout '{"name":"a.lmz","intact":true,"plain_bytes":1000,"blocks":1,"error":null}'
damage a.lmz 100
run 4 lmzip -t -qq --json a.lmz
check "JSON of a damaged archive" grep -q '^{"name":"a.lmz","intact":false,"plain_bytes":null,"blocks":null,"error":"' "$work/out/stdout"
: >"$work/out/stdout"
run 4 lmzip -t a b.lmz
stderr "lmzip: a: not in lmzip format"

run 0 lmzip info b.lmz
check "info: name" grep -qx 'b.lmz:' "$work/out/stdout"
check "info: members" test "$(grep -c '^  member [123]: 1000 -> ' "$work/out/stdout")" = 3
check "info: blocks" test "$(grep -c '^    block 1: 1000 -> .* fill [0-9]*: ' "$work/out/stdout")" = 3
: >"$work/out/stdout"
run 0 lmzip info -v b.lmz
check "info -v" grep -q 'format version 0' "$work/out/stdout"
: >"$work/out/stdout"
run 0 lmzip info --json b.lmz
check "info --json" python3 -c '
import json, sys
line = json.load(open(sys.argv[1]))
assert len(line["members"]) == 3, line
block = line["members"][2]["blocks"][0]
assert block["codec"].startswith("fill ") and block["plain_bytes"] == 1000 and block["reason"], block' "$work/out/stdout"
: >"$work/out/stdout"
finish
