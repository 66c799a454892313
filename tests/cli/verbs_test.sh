# Commands as first arguments.
. "$(dirname "$0")/lib.sh"

for word in extract list add create diff prune rebase join mount train eval distill import bench; do
  run 1 lmzip $word x
  stderr "lmzip: $word is reserved for a later version (write ./$word for a file of that name) (try lmzip --help)"
done
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
