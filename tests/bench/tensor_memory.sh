#!/bin/sh
# tensor_memory.sh [SIZE]: makes a checkpoint of SIZE (default 6G) on a pipe, compresses it, decodes
# it to a pipe, compares, and prints how much memory both took at levels 1 and 4. Needs room for the
# archive in $TMPDIR. Programs come from the build folder, or $LMZIP and $LMZIP_MAKE_CHECKPOINT.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
size=${1:-6G}
lmzip=${LMZIP:-$root/build/app/lmzip/lmzip}
maker=${LMZIP_MAKE_CHECKPOINT:-$root/build/tests/lmzip-make-checkpoint}
for program in "$lmzip" "$maker"; do
  [ -x "$program" ] || { echo "tensor_memory.sh: $program: no such program" >&2; exit 1; }
done
sh "$root/packaging/need.sh" time >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkfifo "$work/copy"

mebibytes() { echo $(($(tail -n 1 "$1") / 1024)); }
echo "| program | plain bytes | archive bytes | MiB to compress | MiB to decompress |"
echo "|---|---:|---:|---:|---:|"
for level in 1 4; do
  sha256sum <"$work/copy" >"$work/before" &
  "$maker" --size="$size" | tee "$work/copy" |
    /usr/bin/time -f %M -o "$work/in" "$lmzip" -$level -c >"$work/archive"
  wait
  /usr/bin/time -f %M -o "$work/out" "$lmzip" -dc "$work/archive" | sha256sum >"$work/after"
  cmp "$work/before" "$work/after"
  plain=$("$lmzip" -l --json "$work/archive" | sed 's/.*"plain_bytes":\([0-9]*\).*/\1/')
  echo "| lmzip -$level | $plain | $(wc -c <"$work/archive") | $(mebibytes "$work/in") |" \
    "$(mebibytes "$work/out") |"
done
