#!/bin/sh
# examples.sh LMZIP: runs the script examples as a user would.
set -eu
lmzip=$1
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/logs"
ln -s "$lmzip" "$work/bin/lmzip"
PATH=$work/bin:$PATH
export PATH

sh "$root/examples/tar.sh"

seq 1000 >"$work/logs/service.log.1"
seq 1000 | gzip >"$work/logs/service.log.2.gz"
sh "$root/examples/cron/nightly-logs.sh" "$work/logs" >"$work/mail" 2>&1
[ ! -s "$work/mail" ] || { cat "$work/mail"; exit 1; }
[ ! -e "$work/logs/service.log.1" ]
[ -e "$work/logs/service.log.2.gz" ]
if sh "$root/examples/cron/nightly-logs.sh" "$work/missing" 2>"$work/mail"; then exit 1; fi
grep -q "missing: no such folder" "$work/mail"
lmzip -dc "$work/logs/service.log.1.lmz" | cmp - "$(seq 1000 >"$work/plain"; echo "$work/plain")"
sh "$root/examples/cron/nightly-logs.sh" "$work/logs"

sh "$root/examples/sample/make.sh" "$work/one"
sh "$root/examples/sample/make.sh" "$work/two"
diff -r "$work/one" "$work/two"
[ "$(cat "$work"/one/* | wc -c)" -lt 400000 ]

# The tensors of a checkpoint in Python, through the shared library.
python3 "$root/tests/golden/sources.py" "$work/plain-files"
lmzip -o "$work/model.lmz" "$work/plain-files/checkpoint"
LMZIP_LIBRARY=$(dirname "$(readlink -f "$lmzip")")/../../lib/liblmzip.so
export LMZIP_LIBRARY
checkpoint="python3 $root/examples/python/lmzip_checkpoint.py"
$checkpoint "$work/model.lmz" >"$work/tensors"
[ "$(wc -l <"$work/tensors")" -eq 7 ]
grep -q '^BF16 .*\[600, 60\].* embedding$' "$work/tensors"
for tensor in embedding layer.bias step; do
  $checkpoint "$work/model.lmz" "$tensor" >"$work/tensor"
  lmzip extract "$work/model.lmz" --tensor="$tensor" | cmp - "$work/tensor"
done
if $checkpoint "$work/model.lmz" missing >"$work/tensor" 2>&1; then exit 1; fi
if $checkpoint "$work/plain-files/checkpoint" 2>"$work/message"; then exit 1; fi
grep -q "not in lmzip format" "$work/message"

# Shards of a checkpoint, each archived by a task of its own, and joined.
mkdir "$work/shards"
for number in 1 2 3; do
  header='{"part'$number'":{"dtype":"F32","shape":[1000],"data_offsets":[0,4000]}}'
  { printf '\100\0\0\0\0\0\0\0%s' "$header"; seq $number 9999 | head -c 4000; } \
    >"$work/shards/model-0000$number-of-00003.safetensors"
done
for number in 1 2 3 3; do
  SLURM_ARRAY_TASK_ID=$number sh "$root/examples/slurm/shards.sbatch" "$work/shards" "$work/archives"
done
if SLURM_ARRAY_TASK_ID=4 sh "$root/examples/slurm/shards.sbatch" "$work/shards" "$work/archives" \
  2>"$work/message"; then exit 1; fi
grep -q "no shard number 4" "$work/message"
cat "$work"/archives/*.lmz >"$work/joined.lmz"
cat "$work"/shards/* >"$work/plain"
lmzip -dc "$work/joined.lmz" | cmp - "$work/plain"
[ "$(lmzip list "$work/joined.lmz" | grep -c ' part[123]$')" -eq 3 ]
lmzip extract "$work/joined.lmz" --tensor=part2 >"$work/tensor"
tail -c 4000 "$work/shards/model-00002-of-00003.safetensors" | cmp - "$work/tensor"
