#!/bin/sh
# The recipes of lmzip-format(5) and the snippet for file(1) work on what lmzip writes.
# Usage: format_by_hand_test.sh LMZIP, from the root of the source.
set -eu
lmzip=$1
root=$PWD
for tool in file grep od zstd; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"

fail() {
  echo "FAILED: $1"
  exit 1
}

cat "$root"/formats/SPEC.md "$root"/formats/container/*.cpp >plain
"$lmzip" -1 -c plain >archive.lmz

found=$(file -b -m "$root/formats/lmzip.magic" archive.lmz)
case $found in
  "lmzip archive, format 0, block size "[0-9]*) ;;
  *) fail "file(1) says: $found" ;;
esac
found=$(file -b --mime-type -m "$root/formats/lmzip.magic" archive.lmz)
[ "$found" = application/x-lmzip ] || fail "file(1) says: $found"
"$lmzip" -1 -c --strong plain >strong.lmz
found=$(file -b -m "$root/formats/lmzip.magic" strong.lmz)
case $found in
  *", strong") ;;
  *) fail "file(1) says: $found" ;;
esac

# One block, the index and the trailer.
places=$(LC_ALL=C grep -abo -P '\xfbLZ\x16' archive.lmz | cut -d: -f1)
[ "$(echo "$places" | wc -l)" -eq 3 ] || fail "sync words at: $places"
first=$(echo "$places" | head -n 1)
number() {
  od -A n -t u4 -j $((first + $1)) -N 4 archive.lmz | tr -d ' '
}
[ "$(number 12)" -eq "$(wc -c <plain)" ] || fail "plain size: $(number 12)"
tail -c +$((first + 49 + 1)) archive.lmz | head -c "$(number 40)" | zstd -d >salvaged
cmp plain salvaged || fail "the payload is no Zstandard frame of the plain bytes"
