#!/bin/sh
# quickstart.sh [FILE...]: installs what is missing (apt, with sudo where not root), builds lmzip
# into build/, compresses the given files or a sample, and compares with zstd and xz.
# The files themselves are only read; everything is written to a temporary folder.
set -eu

for file; do
  [ -f "$file" ] && [ -r "$file" ] || { echo "quickstart.sh: $file: cannot read it" >&2; exit 1; }
done
repository=$(cd "$(dirname "$0")/.." && pwd)
sh "$repository/packaging/need.sh" $(cat "$repository/packaging/build-packages.txt") xz-utils zstd

log=$(mktemp)
echo "Building lmzip into $repository/build (this takes some minutes; log: $log) ..."
{ cmake -G Ninja -S "$repository" -B "$repository/build" -DCMAKE_BUILD_TYPE=Release &&
  cmake --build "$repository/build" --target lmzip; } >"$log" 2>&1 ||
  { cat "$log" >&2; exit 1; }
rm -f "$log"
lmzip=$repository/build/app/lmzip/lmzip

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
if [ $# -eq 0 ]; then
  sh "$repository/examples/sample/make.sh" "$work/sample"
  set -- "$work"/sample/*
fi

# measure NAME FILE COMPRESS... -- DECOMPRESS...: both as filters; prints one line of the table.
measure() {
  label=$1 file=$2 compress= decompress=
  shift 2
  while [ "$1" != -- ]; do compress="$compress $1"; shift; done
  shift
  decompress=$*
  begin=$(date +%s%N)
  $compress <"$file" >"$work/packed"
  middle=$(date +%s%N)
  $decompress <"$work/packed" >"$work/plain"
  end=$(date +%s%N)
  cmp -s "$file" "$work/plain" || { echo "quickstart.sh: $label changed $file" >&2; exit 1; }
  awk -v name="$label" -v plain="$(wc -c <"$file")" -v packed="$(wc -c <"$work/packed")" \
    -v in_ns=$((middle - begin)) -v out_ns=$((end - middle)) 'BEGIN {
      printf "  %-10s %12d bytes  %6.2f %%  %8.2f s in  %8.2f s out\n", name, packed,
        plain ? 100 * packed / plain : 0, in_ns / 1e9, out_ns / 1e9 }'
}

for file; do
  echo "$(basename "$file"): $(wc -c <"$file") bytes"
  measure "zstd -19" "$file" zstd -q -19 -c -- zstd -q -d -c
  measure "xz -9e" "$file" xz -9e -c -- xz -d -c
  measure "lmzip" "$file" "$lmzip" -c -- "$lmzip" -d -c
done
echo "Every file came back bit for bit."
echo "The program: $lmzip (manual: man -l $repository/man/lmzip.1)"
