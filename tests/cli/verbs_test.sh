# Commands as first arguments.
. "$(dirname "$0")/lib.sh"

for word in add create diff prune join mount import bench; do
  run 1 lmzip $word x
  stderr "lmzip: $word is reserved for a later version (write ./$word for a file of that name) (try lmzip --help)"
done
# Training is done by another program, beside this one or on the path.
trainer=$(dirname "$LMZIP")/../train/lmzip-train
[ -e "$trainer" ] || for word in train distill eval; do
  run 1 env PATH=/nowhere "$work/bin/lmzip" $word x
  stderr "lmzip: $word needs the program lmzip-train, which is not installed (build with -DLMZIP_WITH_TRAIN=ON) (try lmzip --help)"
done
mkdir "$work/path"
printf '#!/bin/sh\necho trained: "$@"\n' >"$work/path/lmzip-train"
chmod +x "$work/path/lmzip-train"
if [ ! -e "$trainer" ]; then
  run 0 env PATH="$work/path:$PATH" "$work/bin/lmzip" train a -o b
  stdout "trained: train a -o b"
  run 0 env PATH="$work/path:$PATH" "$work/bin/lmzip" eval a
  stdout "trained: eval a"
  run 0 env PATH="$work/path:$PATH" "$work/bin/lmzip" model export c
  stdout "trained: export c"
fi
sample list
run 1 lmzip list
stderr "lmzip: list is a command and also a file here: write ./list or -- list for the file, or use the command in another directory (try lmzip --help)"
sample info
run 1 lmzip info x.lmz
stderr "lmzip: info is a command and also a file here: write ./info or -- info for the file, or use the command in another directory (try lmzip --help)"
files info list
run 0 lmzip ./list
run 0 lmzip -- info
files info info.lmz list list.lmz
# A directory of that name is nothing to mistake.
mkdir vocab
run 0 lmzip vocab tokenize --count list
stdout_like "* bytes, * tokens, * bytes per token"
rmdir vocab
# Only a first argument is a command.
run 0 lmzip -f info.lmz list
run 0 lmzip -c info
: >"$work/out/stdout"
rm info
run 1 lmzip info missing
stderr "lmzip: missing: cannot open: No such file or directory"
run 1 lmzip info -d list.lmz
stderr "lmzip: -d, -t and -l do not go with a command (try lmzip --help)"
run 0 lmzip info --help
: >"$work/out/stdout"
run 1 unlmzip prune
stderr "lmzip: prune: cannot open: No such file or directory"
finish
