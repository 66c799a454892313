#!/bin/sh
# same.sh [--code] sample|full LMZIP COMMAND...: fails unless COMMAND (env VAR=… LMZIP, or
# with --code lmzip-code over another build of the library) writes the same archives as LMZIP and
# decodes those of LMZIP and the golden ones.
set -eu
decode="-d -c" checker=
if [ "$1" = --code ]; then
  decode= checker=--decoder
  shift
fi
matrix=$1 reference=$2
shift 2
# A function has arguments of its own.
command=$(printf "'%s' " "$@")
other() { eval "$command" '"$@"'; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 "$here/../golden/sources.py" "$work/plain"
sh "$here/../../examples/sample/make.sh" "$work/sample"
head -c 40000 "$work/sample/sources.txt" >"$work/plain/sources"
options="-1 -6 -8 -6,--block-size=16KiB"
if [ "$matrix" = full ]; then
  options="$options -2 -3 -4 -9 -6,--block-size=4KiB -6,--strong -1,--block-size=4KiB"
  mv "$work"/sample/* "$work/plain/"
  # More than 100,000 tokens in one block for the networks.
  find "$here/../../lib" "$here/../../app" -name '*.[ch]*' | LC_ALL=C sort | xargs cat | head -c 500000 >"$work/long"
fi

compared=0
# compare FILE OPTION...
compare() {
  file=$1
  shift
  for option; do
    flags=$(echo "$option" | tr , ' ')
    "$reference" -c $flags "$file" >"$work/one"
    other -c $flags "$file" >"$work/two"
    cmp "$work/one" "$work/two" || { echo "$(basename "$file") $flags: archives differ"; exit 1; }
    other $decode "$work/one" >"$work/decoded"
    cmp "$file" "$work/decoded" || { echo "$(basename "$file") $flags: decodes wrongly"; exit 1; }
    compared=$((compared + 1))
  done
}
for file in "$work"/plain/*; do compare "$file" $options; done
[ ! -e "$work/long" ] || compare "$work/long" -8 -9
python3 "$here/../golden/check.py" $checker "$@"
echo "$compared archives are the same"
