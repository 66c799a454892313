# Models: lmzip model, --model, archives that need one.
. "$(dirname "$0")/lib.sh"

# tests/make_model.cpp is built beside the program.
maker=$(dirname "$LMZIP")/../../tests/lmzip-make-model
[ -x "$maker" ] || exit 77
HOME=$work/home
export HOME
mkdir "$HOME"
unset XDG_DATA_HOME

"$maker" a.lmzm 1
"$maker" b.lmzm 2
head -c 20000 "$root/formats/SPEC.md" >text
id=$(tail -c 32 a.lmzm | od -An -v -tx1 | tr -d ' \n')
short=$(printf %.8s "$id")
needs="needs the model $id (give its file with --model, or add it with lmzip model add)"

# An archive names its model, and decodes with it only.
run 0 lmzip --model=a.lmzm text
run 0 lmzip info text.lmz
grep -qx "    model: $id" "$work/out/stdout" || fail "info does not name the model"
grep -q "network, strength 3" "$work/out/stdout" || fail "the network is not used"
: >"$work/out/stdout"
rm text
run 6 lmzip -d text.lmz
stderr "lmzip: text.lmz: $needs"
run 6 lmzip -d --model=b.lmzm text.lmz
stderr "lmzip: text.lmz: $needs"
run 6 lmzip -t text.lmz
stderr "lmzip: text.lmz: $needs"
run 6 lmzip -dc --range=10:5 text.lmz
stderr "lmzip: text.lmz: $needs"
files a.lmzm b.lmzm text.lmz
run 0 lmzip -d --model=a.lmzm text.lmz
head -c 20000 "$root/formats/SPEC.md" | cmp - text || fail "other bytes"
for isa in scalar avx2 avx512; do
  run 0 env LMZIP_ISA=$isa lmzip -dc --model=a.lmzm text.lmz
  stdout_is text
done
run 0 lmzip -9 --model=a.lmzm -c --verify text
grep -qa LMZ "$work/out/stdout" && : >"$work/out/stdout"
run 0 lmzip -dc --range=100:7 --model=a.lmzm text.lmz
tail -c +101 text | head -c 7 >wanted
stdout_is wanted
rm wanted

# So it is with a transformer.
"$maker" c.lmzm 3 transformer
run 0 lmzip -k --model=c.lmzm -o other.lmz text
for isa in scalar avx2 avx512; do
  run 0 env LMZIP_ISA=$isa lmzip -dc --model=c.lmzm other.lmz
  stdout_is text
done
run 6 lmzip -d other.lmz
stderr "lmzip: other.lmz: needs the model $(tail -c 32 c.lmzm | od -An -v -tx1 | tr -d ' \n') (give its file with --model, or add it with lmzip model add)"
run 0 lmzip model show c.lmzm
grep -qx "body             transformer" "$work/out/stdout" || fail "show does not tell the body"
: >"$work/out/stdout"
run 0 lmzip model check c.lmzm
: >"$work/out/stdout"
rm c.lmzm other.lmz

# An archive can bring its model along.
run 0 lmzip -k --model=a.lmzm --embed-model -o own.lmz text
run 0 lmzip info own.lmz
grep -qx "    model: $id (in the archive, $(wc -c <a.lmzm) bytes)" "$work/out/stdout" ||
  fail "info does not tell of the model"
: >"$work/out/stdout"
run 0 lmzip info --json own.lmz
grep -q "\"model_bytes\":$(wc -c <a.lmzm)" "$work/out/stdout" || fail "info --json lacks the size"
: >"$work/out/stdout"
run 0 lmzip -dc own.lmz
stdout_is text
run 0 lmzip -t own.lmz
run 0 lmzip -dc --range=10:5 own.lmz
tail -c +11 text | head -c 5 >wanted
stdout_is wanted
run 1 lmzip -6 -k --embed-model text
stderr "lmzip: --embed-model: level 6 has no model (8 and 9 do)"
run 0 lmzip -9 -c --embed-model text
check "the built-in model is there" [ "$(wc -c <"$work/out/stdout")" -gt 1000000 ]
: >"$work/out/stdout"
rm own.lmz wanted

# The folders of models.
run 0 lmzip model add a.lmzm
stdout "$HOME/.local/share/lmzip/models/$(printf %.16s "$id").lmzm"
run 1 lmzip model add a.lmzm
stderr_like "lmzip: *exists*"
run 0 lmzip model add -f a.lmzm
: >"$work/out/stdout"
run 0 lmzip -dc text.lmz
stdout_is text
run 0 lmzip -c --model="$short" text
cmp -s "$work/out/stdout" text.lmz || fail "the id gives another archive"
: >"$work/out/stdout"
run 0 lmzip model list
grep -q "^$(printf %.16s "$id")  .* test model 1  ($HOME/.local/share" "$work/out/stdout" || fail "list lacks it"
: >"$work/out/stdout"
run 0 lmzip model list --json
grep -q "\"id\":\"$id\"" "$work/out/stdout" || fail "list --json lacks it"
: >"$work/out/stdout"
rm -r "$HOME/.local"
mkdir folder
cp a.lmzm folder/any-name.lmzm
echo nothing >folder/broken.lmzm
run 0 env LMZIP_MODEL_PATH="nowhere:folder" lmzip -dc text.lmz
stdout_is text
rm -r folder

# Showing and checking.
run 0 lmzip model show a.lmzm
grep -qx "id               $id" "$work/out/stdout" || fail "show lacks the id"
grep -qx "body             recurrent" "$work/out/stdout" || fail "show lacks the body"
: >"$work/out/stdout"
run 0 lmzip model check a.lmzm b.lmzm
check "two lines" [ "$(grep -c 'computes as it must' "$work/out/stdout")" = 2 ]
: >"$work/out/stdout"
run 0 lmzip model check
: >"$work/out/stdout"

# What is no model is refused, and nothing is written.
rm text.lmz
head -c 1000 a.lmzm >cut.lmzm
run 4 lmzip --model=cut.lmzm text
stderr "lmzip: cut.lmzm: the model file is corrupt"
run 4 lmzip --model=text text
stderr "lmzip: text: this is not a model file"
run 4 lmzip model add cut.lmzm
stderr "lmzip: cut.lmzm: the model file is corrupt"
run 4 lmzip model add .
stderr "lmzip: .: this is not a model file"
run 6 lmzip --model=nowhere.lmzm text
stderr "lmzip: nowhere.lmzm: no such model file, and no model of that id is known (lmzip model list shows them)"
run 6 lmzip --model=00000000 text
stderr "lmzip: 00000000: no such model file, and no model of that id is known (lmzip model list shows them)"
run 1 lmzip --model= text
stderr "lmzip: --model=: not a model file or id (try lmzip --help)"
run 1 lmzip -7 --model=a.lmzm text
stderr "lmzip: text: level 7 takes no model (8 and 9 do)"
files a.lmzm b.lmzm cut.lmzm text
[ ! -e "$HOME/.local" ] || fail "something was added"

# Nowhere to put a model.
run 1 env -u HOME lmzip model add a.lmzm
stderr "lmzip: model add: there is no home directory (HOME)"
: >file
run 1 env HOME="$work/dir/file" lmzip model add a.lmzm
stderr_like "lmzip: *file/.local/share/lmzip/models/*: Not a directory"
files a.lmzm b.lmzm cut.lmzm file text

# Usage.
run 1 lmzip model
stderr "lmzip: model: no command given (list, show, check, add or export) (try lmzip --help)"
run 1 lmzip model show
stderr "lmzip: model show: no model given (try lmzip --help)"
run 1 lmzip model list a.lmzm
stderr "lmzip: model list: takes no names (try lmzip --help)"
run 1 lmzip model fly
stderr "lmzip: model: fly is no command (list, show, check, add or export) (try lmzip --help)"
run 0 lmzip model --help
tr -d '\\' <"$root/man/lmzip-model.1" >page
for word in list show check add --json LMZIP_MODEL_PATH .lmzm; do
  grep -qF -e "$word" "$work/out/stdout" || fail "the help lacks $word"
  grep -qF -e "$word" page || fail "lmzip-model.1 lacks $word"
done
: >"$work/out/stdout"
finish
