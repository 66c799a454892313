#!/bin/sh
# cli_test.sh LMZIP-TRAIN: messages, exit codes and what is left on disk.
set -eu
program=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

# refused CODE WORDS ARGUMENT...: ends with the code and says the words in a line of its own.
refused() {
  code=$1 words=$2
  shift 2
  status=0
  "$program" "$@" >out 2>err || status=$?
  [ $status -eq "$code" ] && grep -qF -e "$words" err && return
  echo "lmzip-train $*: exit $status, not $code with: $words"; cat err; exit 1
}
small="--width=16 --streams=4 --steps=16 --chunk=32"

: >empty
head -c 20000 "$root/formats/SPEC.md" >text
refused 1 "fly is not a command" fly
refused 1 "train: no text given" train -o run
refused 1 "train: no checkpoint given (-o FILE)" train text
refused 1 "--rate: must be more than 0" train text -o run --rate=0
refused 1 "--chunk: must be a multiple of --steps" train text -o run --chunk=100
refused 1 "--decay: must be from 0 to 1" train text -o run --decay=2
refused 1 "no body is called oracle" train text -o run $small --body=oracle
refused 1 "a transformer needs --heads and --context" train text -o run $small --body=transformer
refused 1 "the training text is empty" train empty -o run
refused 1 "fewer tokens than two chunks" train text -o run --chunk=64000
refused 1 "missing" train missing -o run
[ ! -e run ]

"$program" train text -o run $small --tokens=640 --log=log 2>err
grep -q 'step 10 of 10 .* held out' err
grep -q '"held_out_byte"' log
cp run before
refused 1 "run is a run with other options" train text -o run $small --width=24 --tokens=1280
cmp run before
head -c 1000 before >run
refused 4 "run: " train text -o run $small --tokens=1280
[ "$(wc -c <run)" -eq 1000 ]
refused 1 "No such file or directory" train text -o nowhere/run $small --tokens=64
[ "$(ls)" = "before
empty
err
log
out
run
text" ]
