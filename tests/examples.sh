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
lmzip -o "$work/later.lmz" --base="$work/model.lmz" "$work/plain-files/later-checkpoint"
$checkpoint "--base=$work/model.lmz" "$work/later.lmz" embedding >"$work/tensor"
lmzip extract "$work/later.lmz" --tensor=embedding --base="$work/plain-files/checkpoint" |
  cmp - "$work/tensor"
if $checkpoint "$work/later.lmz" embedding >"$work/tensor" 2>"$work/message"; then exit 1; fi
grep -q "needs a model or a base" "$work/message"
if $checkpoint "$work/model.lmz" missing >"$work/tensor" 2>&1; then exit 1; fi
if $checkpoint "$work/plain-files/checkpoint" 2>"$work/message"; then exit 1; fi
grep -q "not in lmzip format" "$work/message"

# Checkpoints of a training run against each other, at night and from the loop.
python3 "$root/tests/cli/checkpoints.py" "$work/steps"
for way in night loop; do
  mkdir "$work/$way"
  for step in 0 1 2 3 4 5 6 7 8 9; do
    cp "$work/steps/step$((step % 4)).safetensors" "$work/$way/a,step0$step.safetensors"
    [ $way = loop ] || sh "$root/examples/cron/rotate-checkpoints.sh" "$work/night"
  done
done
if sh "$root/examples/cron/rotate-checkpoints.sh" "$work/missing" 2>"$work/message"; then exit 1; fi
grep -q "missing: no such folder" "$work/message"
rotation="python3 $root/examples/python/checkpoint_rotation.py"
$rotation "$work/loop"
for way in night loop; do
  # Chains of a complete one and eight archives against it and each other.
  for archive in "$work/$way"/*.lmz; do lmzip info "$archive"; done | grep -c 'needs a base' >"$work/count"
  [ "$(cat "$work/count")" -eq 8 ]
  [ "$(find "$work/$way" -type f | wc -l)" -eq 10 ]
  cmp "$work/night/a,step08.safetensors.lmz" "$work/$way/a,step08.safetensors.lmz"
done
sh "$root/examples/cron/rotate-checkpoints.sh" --restore "$work/night" a,step06.safetensors
cmp "$work/steps/step2.safetensors" "$work/night/a,step06.safetensors"
sh "$root/examples/cron/rotate-checkpoints.sh" --restore "$work/night" a,step09.safetensors
cmp "$work/steps/step1.safetensors" "$work/night/a,step09.safetensors"
$rotation "$work/loop" a,step03.safetensors >"$work/message"
cmp "$work/steps/step3.safetensors" "$work/loop/a,step03.safetensors"
rm "$work/loop/a,step03.safetensors"
python3 - "$root" "$work" <<'END'
import os, shutil, sys
root, work = sys.argv[1:]
sys.path.insert(0, os.path.join(root, "examples/python"))
sys.dont_write_bytecode = True
from checkpoint_rotation import CheckpointRotation
with CheckpointRotation(f"{work}/loop", keep=3, depth=1) as rotation:
    for step in (10, 11, 12, 13):
        path = f"{work}/loop/a,step{step}.safetensors"
        shutil.copy(f"{work}/steps/step{step % 4}.safetensors", path)
        rotation.add(path)
    rotation.wait()
    assert [name[6:8] for name in rotation.archives()] == ["10", "11", "12", "13"] or \
        [name[6:8] for name in rotation.archives()] == ["11", "12", "13"], rotation.archives()
    assert all(len(chain) <= 2 for chain in rotation.chains()), rotation.chains()
    rotation.restore("a,step13.safetensors")
END
cmp "$work/steps/step1.safetensors" "$work/loop/a,step13.safetensors"

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
