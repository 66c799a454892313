# Checkpoints: lmzip list, lmzip extract, and what they say of other archives.
. "$(dirname "$0")/lib.sh"

header='{"layer.w":{"dtype":"F32","shape":[100,200],"data_offsets":[0,80000]},"b":{"dtype":"BF16","shape":[5000],"data_offsets":[80000,90000]},"none":{"dtype":"I64","shape":[2,0],"data_offsets":[90000,90000]}}'
size=$(printf %s "$header" | wc -c)
{
  # shellcheck disable=SC2059
  printf "\\$(printf %03o "$size")\\0\\0\\0\\0\\0\\0\\0%s" "$header"
  seq 1 1000000 | head -c 90000
} >model
tail -c 90000 model | head -c 80000 >w
tail -c 10000 model >b

for level in 1 4 6; do
  run 0 lmzip -f -$level model
  run 0 lmzip -dc model.lmz
  stdout_is model
done

run 0 lmzip list --json model.lmz
sed 's/,"compressed_bytes":.*//' "$work/out/stdout" >listed
cat >wanted <<EOF
{"name":"layer.w","type":"F32","shape":[100,200],"offset":$((size + 8)),"bytes":80000
{"name":"b","type":"BF16","shape":[5000],"offset":$((size + 80008)),"bytes":10000
{"name":"none","type":"I64","shape":[2,0],"offset":$((size + 90008)),"bytes":0
EOF
# Empty tensors may stand before or after others at the same place.
sort listed >listed.sorted
sort wanted | cmp -s - listed.sorted || fail "list --json: $(cat listed)"
: >"$work/out/stdout"
run 0 lmzip list model.lmz 'layer.*'
grep -q '^F32 .* \[100,200\] .* layer.w$' "$work/out/stdout" || fail "list: $(cat "$work/out/stdout")"
grep -q '^all .* 1 tensors .*(safetensors)$' "$work/out/stdout" || fail "list has no sum"
[ "$(wc -l <"$work/out/stdout")" = 3 ] || fail "list: $(cat "$work/out/stdout")"
: >"$work/out/stdout"
run 0 lmzip list model.lmz
grep -q '^BF16 .* 1 tensors .* 10000 ' "$work/out/stdout" || fail "list has no sums by type"
: >"$work/out/stdout"
run 1 lmzip list model.lmz nothing
stderr "lmzip: model.lmz: no tensor has such a name"

run 0 lmzip extract model.lmz --tensor=layer.w
stdout_is w
run 0 lmzip extract model.lmz --tensor b -o tensor
cmp b tensor || fail "extract: other bytes"
run 1 lmzip extract model.lmz --tensor=b -o tensor
stderr "lmzip: tensor: already exists (use -f to replace it)"
run 0 lmzip extract model.lmz --tensor=none -fo tensor
[ ! -s tensor ] || fail "extract: bytes of an empty tensor"
rm tensor
run 1 lmzip extract model.lmz --tensor=c -o tensor
stderr "lmzip: model.lmz: holds no tensor c (lmzip list shows the names)"
run 1 lmzip extract model.lmz
stderr "lmzip: extract: no tensor given (--tensor=NAME) (try lmzip --help)"
run 1 lmzip extract model.lmz --tensor=b --tensor=layer.w
stderr "lmzip: extract: one --tensor at a time (try lmzip --help)"
run 1 lmzip list
stderr "lmzip: list: no archive given (try lmzip --help)"
run 1 lmzip list --wrong model.lmz
stderr_like "lmzip: list: *wrong*(try lmzip --help)"
run 1 lmzip extract --tensor=b
stderr "lmzip: extract: no archive given (try lmzip --help)"
run 1 lmzip extract model.lmz b --tensor=b
stderr "lmzip: extract: one archive at a time, and b is another (try lmzip --help)"
run 1 lmzip list missing.lmz
stderr "lmzip: missing.lmz: cannot open: No such file or directory"

run 5 env LMZIP_MEMLIMIT=1MiB lmzip extract model.lmz --tensor=b -o tensor
stderr_like "lmzip: model.lmz: *memory*"
[ ! -e tensor ] || fail "extract: a file in spite of the memory limit"
run 5 env LMZIP_MEMLIMIT=1MiB lmzip list model.lmz
stderr_like "lmzip: model.lmz: *memory*"

# A damaged tensor is not written; others are.
cp model.lmz hurt.lmz
damage hurt.lmz 400
run 4 lmzip extract hurt.lmz --tensor=layer.w -o tensor
stderr_like "lmzip: hurt.lmz: corrupt block 2 at offset *: checksum mismatch"
[ ! -e tensor ] || fail "a damaged tensor was written"
run 0 lmzip extract hurt.lmz --tensor=b
stdout_is b

# A header is kept in memory: one that the limit has no room for is refused, not left out.
{
  printf '\2\0\200\0\0\0\0\0{}'
  head -c 8388608 /dev/zero | tr '\0' ' '
} >padded
run 0 lmzip -4 -c padded
cp "$work/out/stdout" padded.unlimited
: >"$work/out/stdout"
run 5 lmzip -4 --window=0 --memlimit=150MiB padded
stderr_like "lmzip: padded: *memory*"
[ ! -e padded.lmz ] || fail "an archive was left behind"
run 0 lmzip -4 --memlimit=400MiB padded
same padded.unlimited padded.lmz
run 0 lmzip -4 --window=0 --memlimit=150MiB -fo small.lmz model
run 0 lmzip -dc small.lmz
stdout_is model

# No checkpoints.
seq 1000 | lmzip >text.lmz
run 1 lmzip list text.lmz
stderr "lmzip: text.lmz: holds no checkpoint (lmzip -l shows its sizes)"
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 1\n' | lmzip >pointer.lmz
run 1 lmzip extract pointer.lmz --tensor=b
stderr_like "lmzip: pointer.lmz: holds no checkpoint: a git-lfs pointer*"
run 0 lmzip -dc pointer.lmz
grep -q git-lfs "$work/out/stdout" || fail "the pointer is lost"
: >"$work/out/stdout"
finish
