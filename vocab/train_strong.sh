#!/bin/sh
# train_strong.sh [OPTION...] TEXT FOLDER: trains a model for level 9 in a given time.
#
#   --minutes=N          for all of it (default 10)
#   --teacher-minutes=N  of them for a larger model, from which the model then learns too (default 0)
#   --device=DEVICE      cpu or cuda (default: cuda where there is a GPU)
#   --shape=OPTIONS      of the model (default "--width=256 --layers=2 --mlp=512")
#   --teacher=OPTIONS    of the teacher (default: a transformer, 512 wide, 6 layers, 8 heads)
#
# TEXT is a file. The speed is measured on its beginning first. FOLDER gets the checkpoints, logs,
# curves and strong.lmzm; the same command goes on where it was stopped. LMZIP names the program if
# lmzip is not in the PATH.
set -eu

minutes=10 teacher_minutes=0 device=
shape="--width=256 --layers=2 --mlp=512"
teacher="--body=transformer --width=512 --layers=6 --heads=8 --context=512"
while [ $# -gt 0 ]; do
  case $1 in
    --minutes=*) minutes=${1#*=} ;;
    --teacher-minutes=*) teacher_minutes=${1#*=} ;;
    --device=*) device=${1#*=} ;;
    --shape=*) shape=${1#*=} ;;
    --teacher=*) teacher=${1#*=} ;;
    -*) echo "train_strong.sh: $1: no such option" >&2; exit 1 ;;
    *) break ;;
  esac
  shift
done
[ $# -eq 2 ] || { sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 1; }
text=$1 folder=$2 lmzip=${LMZIP:-lmzip}
mkdir -p "$folder"

if [ -z "$device" ]; then
  device=cpu
  if command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; then device=cuda; fi
fi
# A GPU is busy only with many streams, and such large steps take a higher rate.
streams=64 how="--rate=5e-3"
[ "$device" = cpu ] || streams=1024 how="--rate=1e-2 --warm-up=200 --precision=bf16"
how="--device=$device --streams=$streams --steps=64 --decay=0.8 --save-every=500 $how"

# probe STEPS OPTION...: seconds of a training of so many steps on a part of the text.
probe() {
  steps=$1
  shift
  rm -f "$folder/probe.ckpt"
  begin=$(date +%s.%N)
  # Options are words.
  "$lmzip" train "$folder/probe.txt" -o "$folder/probe.ckpt" $how --tokens=$((steps * streams * 64)) \
    "$@" 2>"$folder/probe.err" || { cat "$folder/probe.err" >&2; exit 1; }
  echo "$(date +%s.%N) $begin" | awk '{ print $1 - $2 }'
}

# tokens_in MINUTES OPTION...: what a training sees in that time.
tokens_in() {
  time=$1
  shift
  head -c 12000000 "$text" >"$folder/probe.txt"
  few=$(probe 3 "$@")
  more=$(probe 23 "$@")
  rm -f "$folder"/probe.*
  echo "$time $few $more" | awk -v step=$((streams * 64)) '{ printf "%d", $1 * 60 * 20 * step / ($3 - $2) }'
}

# training NAME MINUTES COMMAND... : with as many tokens as its first start chose. The options of
# the shape are in $options.
training() {
  name=$1 time=$2
  shift 2
  [ -s "$folder/$name.tokens" ] || tokens_in "$time" $options >"$folder/$name.tokens"
  "$lmzip" "$@" "$text" -o "$folder/$name.ckpt" --log="$folder/$name.log" \
    --curves="$folder/$name.svg" --tokens="$(cat "$folder/$name.tokens")" $how $options
}

if [ "$teacher_minutes" = 0 ]; then
  options=$shape
  training strong "$minutes" train
else
  options=$teacher
  training teacher "$teacher_minutes" train
  options=$shape
  training strong $((minutes - teacher_minutes)) distill "$folder/teacher.ckpt"
fi
"$lmzip" model export "$folder/strong.ckpt" -o "$folder/strong.lmzm" -f
"$lmzip" model check "$folder/strong.lmzm"
