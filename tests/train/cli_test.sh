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
"$program" train --help | grep -q 'train \[OPTION...\] -o CHECKPOINT TEXT'
"$program" distill --help | grep -q 'distill \[OPTION...\] -o CHECKPOINT TEACHER TEXT'
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
refused 1 "no device is called tpu" train text -o run $small --device=tpu
refused 1 "no precision is called f8" train text -o run $small --precision=f8
refused 1 "missing" train text -o run $small --fine-tune=missing
refused 1 "nowhere/picture" train text -o run $small --curves=nowhere/picture
refused 1 "distill: no teacher given" distill -o run
refused 1 "missing" distill missing text -o run
[ ! -e run ]

"$program" train text -o run $small --tokens=640 --log=log 2>err
grep -q 'step 10 of 10 .* held out' err
grep -q '"held_out_byte"' log
grep -q '"step"' log

# A picture of the run is drawn; it has what an earlier part of the run logged.
"$program" train text -o run $small --tokens=1280 --log=log --curves=curves.svg 2>err
[ "$(grep -c '<circle' curves.svg)" -eq 2 ]
tail -n 1 curves.svg | grep -q '</svg>'
echo "{" >broken
refused 4 "broken: not a log of training" train text -o run $small --tokens=1300 --log=broken \
  --curves=curves.svg
rm broken

# A model goes on with other text; its shape need not be said again, but may not be another.
tail -c 30000 "$root/formats/SPEC.md" >other
"$program" train other -o tuned --fine-tune=run --streams=2 --steps=16 --chunk=32 --tokens=320 2>err
refused 1 "run is a model of another shape" train other -o new --fine-tune=run $small --width=24
refused 1 "run is a model of another shape" train other -o new --fine-tune=run $small --classes=64
"$program" train other -o grown --fine-tune=run --layers=2 --mlp=24 --streams=2 --steps=16 --chunk=32 --tokens=64 2>err
grep -aq 'layer1_mlp_out' grown
rm grown
head -c 1000 run >cut
refused 4 "cut: " train other -o new --fine-tune=cut $small
refused 4 "cut: " distill cut other -o new $small
rm cut

# A student of another shape learns from it.
refused 1 "--share: must be from 0 to 1" distill run text -o student $small --share=2
[ ! -e student ]
"$program" distill run text -o student --width=8 --streams=4 --steps=16 --chunk=32 --tokens=640 2>err
grep -q 'step 10 of 10 .* held out' err
refused 1 "student is a run with other options" distill run text -o student --width=8 --streams=4 \
  --steps=16 --chunk=32 --tokens=1280 --share=0.25

# Products of half the precision.
"$program" train text -o half $small --tokens=640 --precision=bf16 --device=cpu 2>err
grep -q 'step 10 of 10 .* held out' err

# What a cluster runs, with two processes here: the script starts srun, and that the ranks.
mkdir bin
cat >bin/srun <<'END'
#!/bin/sh
[ "$1" = --kill-on-bad-exit=1 ] || exit 9
shift
export SLURM_NTASKS=2 SLURM_JOB_ID=$$ SLURM_JOB_NODELIST="localhost,other[1-3]"
SLURM_PROCID=1 SLURM_LOCALID=1 "$@" 2>second &
SLURM_PROCID=0 SLURM_LOCALID=0 "$@" || exit
wait $!
END
chmod +x bin/srun
if PATH=$work/bin:$PATH LMZIP_TRAIN=$program sh "$root/examples/slurm/train.sbatch" \
  text -o ranks $small --tokens=640 --log=ranks.log 2>err; then
  [ ! -s second ]
  grep -q '^2 ranks: .* scaling efficiency' err
  grep -q '"exchange"' ranks.log
  "$program" train text -o alone $small --tokens=640 --log=alone.log 2>err
  # The same losses, to four digits.
  for log in ranks.log alone.log; do
    sed -n 's/.*"held_out":\([0-9.]\{5\}\).*/\1/p' $log >$log.loss
  done
  [ -s alone.log.loss ]
  cmp alone.log.loss ranks.log.loss
  rm ranks* alone*
else
  grep -q "built without gloo" err
fi
rm -r bin second
export WORLD_SIZE=2
refused 1 "RANK is not set, but the number of ranks is" train text -o new $small
export RANK=2 MASTER_ADDR=localhost
refused 1 "there is no rank 2 of 2" train text -o new $small
unset WORLD_SIZE RANK MASTER_ADDR
[ ! -e new ]

cp run before
refused 1 "run is a run with other options" train text -o run $small --width=24 --tokens=1280
cmp run before
head -c 1000 before >run
refused 4 "run: " train text -o run $small --tokens=1280
[ "$(wc -c <run)" -eq 1000 ]
refused 1 "No such file or directory" train text -o nowhere/run $small --tokens=64
[ "$(ls)" = "before
curves.svg
empty
err
half
log
other
out
run
student
text
tuned" ]

# Every option is in the manual page and in all completions.
tr -d '\\' <"$root/man/lmzip-train.1" | sed 's/fB//g; s/fR//g; s/fI//g' >out
for command in train distill eval; do
  for option in $("$program" $command --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -e '--?[a-z-]+'); do
    for place in out "$root/app/completions/lmzip-train.bash" "$root/app/completions/_lmzip-train"; do
      grep -qE -e "(^|[^a-z-])$option([^a-z-]|\$)" "$place" || { echo "$place lacks $option"; exit 1; }
    done
    case $option in
      --*) grep -qE -e " -l ${option#--}( |\$)" "$root/app/completions/lmzip-train.fish" ;;
      *) grep -qE -e " -s ${option#-}( |\$)" "$root/app/completions/lmzip-train.fish" ;;
    esac || { echo "lmzip-train.fish lacks $option"; exit 1; }
  done
done

# The model file of a checkpoint.
rm -f run before out err log
"$program" train text -o run $small --tied --tokens=640 2>err
"$program" export run -o run.lmzm --description="a test" 2>err
grep -q "run.lmzm: .* model [0-9a-f]\{64\}" err
refused 1 "run.lmzm" export run -o run.lmzm
"$program" export -f run -o run.lmzm 2>err
refused 1 "export: one checkpoint is needed" export -o x.lmzm
refused 1 "export: no model given (-o FILE)" export run
refused 4 "text: " export text -o x.lmzm
"$program" train text -o attention $small --body=transformer --heads=2 --context=16 --tokens=64 2>err
"$program" export attention -o attention.lmzm 2>err
grep -q "attention.lmzm: .* model [0-9a-f]\{64\}" err
"$program" eval text --checkpoint=attention --limit=4K >out 2>err
grep -q '^text  integer' out
rm attention
"$program" train text -o attention $small --body=transformer --heads=4 --context=16 --tokens=64 2>err
refused 1 "multiple of 8 channels" export attention -o x.lmzm
rm attention
"$program" train text -o attention $small --body=transformer --heads=2 --context=1025 --tokens=64 2>err
refused 1 "at most 1024 tokens can be exported" export attention -o x.lmzm
[ ! -e x.lmzm ]

# A model goes on with other text, and teaches; by its file, or by the id of a known one.
short="--streams=2 --steps=16 --chunk=32 --tokens=320"
"$program" train text -o again --fine-tune=run.lmzm $short 2>err
grep -q 'step 10 of 10 .* held out' err
grep -aq 'model.head.class_rows' again
"$program" train text -o again --fine-tune=run.lmzm $short --tokens=640 2>err
grep -q 'step 20 of 20 .* held out' err
mkdir models
cp run.lmzm models
id=$("$program" export -f run -o models/run.lmzm 2>&1 | sed 's/.*model //')
LMZIP_MODEL_PATH=models "$program" train text -o by_id --fine-tune="${id%????????}" $short 2>err
grep -q 'step 10 of 10 .* held out' err
"$program" distill run.lmzm text -o pupil --width=8 $short 2>err
grep -q 'step 10 of 10 .* held out' err
"$program" eval text --checkpoint=run.lmzm --limit=2K --json=result >out 2>err
grep -q '^text  float  ' out
grep -qF "\"id\":\"$("$program" export -f run -o models/run.lmzm --description="" 2>&1 | sed 's/.*model //')\"" result
rm -r again by_id pupil models result
refused 1 "run.lmzm is a model of another shape" train text -o new --fine-tune=run.lmzm $small --width=24
refused 6 "0123456789ab: no such model file" train text -o new --fine-tune=0123456789ab $short
head -c 1000 run.lmzm >cut
refused 4 "cut: the model file is corrupt" train text -o new --fine-tune=cut $short
refused 4 "cut: the model file is corrupt" distill cut text -o new $short
[ ! -e new ]
rm cut

# What models and archives make of texts.
head -c 6000 "$root/formats/SPEC.md" >text
head -c 3000 /dev/urandom >binary
mkdir folder
head -c 2000 "$root/README.md" >folder/b
head -c 2500 "$root/HACKING.md" >folder/a
"$program" eval --help | grep -q 'eval \[OPTION...\] TEXT'
refused 1 "eval: no text given" eval
refused 1 "missing" eval missing
refused 1 "empty: there is nothing in it to measure" eval empty --model=run.lmzm
refused 1 "there are no files in it" eval --model=run.lmzm "$(mkdir none && echo none)"
refused 1 "--level: must be from 1 to 9" eval text --level=10
refused 1 "--block-size: must be a size from 4.0 KiB to 1.0 GiB" eval text --block-size=10
refused 1 "--limit: must be a size" eval text --limit=some
refused 1 "--lines: must be two numbers of lines" eval text --lines=5
refused 1 "--lines: must be two numbers of lines" eval text --lines=5-4
refused 1 "no device is called tpu" eval text --checkpoint=run --device=tpu
refused 1 "text: too short for --smu" eval text --smu --model=run.lmzm
refused 1 "nowhere/x" eval text --model=run.lmzm --json=nowhere/x
refused 4 "text: not a safetensors file" eval text --checkpoint=text
refused 4 "text: " eval text --model=text
refused 6 "absent: no such model file" eval text --model=absent
refused 6 "0123456789ab: no such model file" eval text --model=0123456789ab

# Everything comes back; the model is the one that export makes, and rounding it costs little.
"$program" eval text binary folder --checkpoint=run --json=result --svg=picture.svg >out 2>err
[ "$(grep -c '^folder/[ab]  *lmzip ' out)" -eq 2 ]
[ "$(sed -n '2,6s/ .*//p' out | tr '\n' ' ')" = "text binary folder/a folder/b total " ]
grep -q '^binary: archive$' err
[ "$(grep -o '"reconstruction_accuracy":1.0' result | wc -l)" -eq 15 ]
"$program" export -f run -o run.lmzm --description= 2>err
grep -qF "\"id\":\"$(sed 's/.*model //' err)\"" result
grep -q '"integer_loss_percent":-\?0\.[012]' result
tail -n 1 picture.svg | grep -q '</svg>'
"$program" eval text --model=run.lmzm --markdown --level=5 --limit=1k >out 2>err
grep -q '^| text | 1024 | ' out
grep -q '^| text | adapting | ' out
! grep -q float out
"$program" eval text --lines=2-3 --model=run.lmzm >out 2>err
grep -q "^text  *$(sed -n 2,3p text | wc -c) " out
# A body that has no integer form.
"$program" eval text --checkpoint=attention >out 2>err
grep -q '^text  float  ' out
! grep -q alone out
# Archives are read, and windows leave out the first tokens.
cat "$root/formats/SPEC.md" "$root/vocab/SPEC.md" "$root/README.md" | head -c 36000 >text
"$program" eval text --smu --checkpoint=run >out 2>err
grep -q '^text  smu, all ' out
grep -q '^smu: 128 streams' out
grep -q 'windows of 64 tokens' err
