# Programs of tensors: --search, and what lmzip info --programs says of them.
. "$(dirname "$0")/lib.sh"

python3 - <<'EOF'
import json, struct
state, weights = 1, []
for _ in range(4096):  # a sum of uniform numbers, like trained weights
    numbers = []
    for _ in range(4):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        numbers.append((state >> 40) / 2**24 - 0.5)
    weights.append(0.05 * sum(numbers))
tensors = {
    "positions": ("I64", [1, 512], struct.pack("<512q", *range(512))),
    "ones": ("F32", [300], struct.pack("<300f", *[1.0] * 300)),
    "mask": ("BOOL", [64, 64], bytes(c <= r for r in range(64) for c in range(64))),
    "w": ("F32", [64, 64], struct.pack("<4096f", *weights)),
}
tensors["w.copy"] = tensors["w"]
header, at = {}, 0
for name, (kind, shape, data) in tensors.items():
    header[name] = {"dtype": kind, "shape": shape, "data_offsets": [at, at + len(data)]}
    at += len(data)
text = json.dumps(header).encode()
with open("model", "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + b"".join(t[2] for t in tensors.values()))
EOF

for search in none fast full; do
  run 0 lmzip -f --search=$search model
  run 0 lmzip -dc model.lmz
  stdout_is model
  cp model.lmz $search.lmz
  run 0 lmzip -f -T3 --search=$search model
  cmp -s model.lmz $search.lmz || fail "--search=$search: other bytes with three threads"
done
[ "$(wc -c <fast.lmz)" -lt "$(wc -c <none.lmz)" ] || fail "programs take more than numbers"
[ "$(wc -c <full.lmz)" -le "$(wc -c <fast.lmz)" ] || fail "a full search finds less"

# What levels look for.
run 0 lmzip -6 -c model
cmp -s "$work/out/stdout" fast.lmz || fail "level 6 does not search fast"
: >"$work/out/stdout"
run 0 lmzip -1 -c model
cp "$work/out/stdout" low.lmz
: >"$work/out/stdout"
run 0 lmzip -1 --search=none -c model
cmp -s "$work/out/stdout" low.lmz || fail "level 1 searches"
: >"$work/out/stdout"
run 0 lmzip info --programs none.lmz
if grep -q ' = ' "$work/out/stdout"; then fail "programs without a search"; fi
: >"$work/out/stdout"
run 0 lmzip -1 --search=fast -c model
cp "$work/out/stdout" low.lmz
: >"$work/out/stdout"
run 0 lmzip -dc low.lmz
stdout_is model

run 0 lmzip info fast.lmz
grep -q 'brevis 0: ' "$work/out/stdout" || fail "info: $(cat "$work/out/stdout")"
if grep -q ' = ' "$work/out/stdout"; then fail "info shows programs unasked"; fi
: >"$work/out/stdout"
run 0 lmzip info --programs fast.lmz
for line in 'positions = ramp(i64,\[1,512\],0,1)' 'ones = const(f32,\[300\],1)' \
  'mask = band(bool,\[64,64\],.*)' 'w.copy = ref(3)'; do
  grep -q "^ *$line\$" "$work/out/stdout" || fail "no $line in $(cat "$work/out/stdout")"
done
: >"$work/out/stdout"
run 0 lmzip info --programs --json fast.lmz
python3 - "$work/out/stdout" <<'EOF' || fail "info --json: $(cat "$work/out/stdout")"
import json, sys
blocks = json.load(open(sys.argv[1]))["members"][0]["blocks"]
programs = [p for b in blocks for p in b.get("programs", [])]
named = {p.get("name"): p for p in programs}
assert named["ones"]["program"] == "const(f32,[300],1)" and named["ones"]["bytes"] == 1200, programs
assert named["w.copy"]["type"] == "f32,[64,64]", programs
EOF
: >"$work/out/stdout"

# An archive that stands in a pipe tells where tensors begin, not what they are called.
run 0 sh -c "lmzip info --programs <fast.lmz"
grep -q '^ *@[0-9]* = ramp(' "$work/out/stdout" || fail "info of a pipe: $(cat "$work/out/stdout")"
: >"$work/out/stdout"

for value in '' some FAST; do
  run 1 lmzip "--search=$value" -f model
  stderr "lmzip: --search=$value: not none, fast or full (try lmzip --help)"
done
run 1 lmzip -d --search=fast fast.lmz
stderr "lmzip: --search goes with compressing only (try lmzip --help)"
run 1 lmzip --programs model
stderr "lmzip: --programs goes with info only (try lmzip --help)"

# A damaged program is told of, and no file is made.
python3 - <<'EOF'
data = bytearray(open("fast.lmz", "rb").read())
data[len(data) // 2] ^= 16
open("bad.lmz", "wb").write(data)
EOF
run 4 lmzip -d bad.lmz
: >"$work/out/stderr"
[ ! -e bad ] || fail "a file is made of a damaged archive"
