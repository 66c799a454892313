# unlmzip, lmzcat, tar and foreign data.
. "$(dirname "$0")/lib.sh"

sample a
cp a wanted
run 0 lmzip a
run 0 unlmzip -f a.lmz
same a wanted
run 0 lmzcat a.lmz
stdout_is wanted
run 0 lmzcat a.lmz a.lmz
cat wanted wanted >twice
stdout_is twice
run 0 unlmzip -t a.lmz
run 0 lmzcat wanted
stdout_is wanted
run 0 lmzip -dcf wanted a.lmz
stdout_is twice
lmzcat <wanted >b || fail "lmzcat of foreign standard input"
cmp -s b wanted || fail "lmzcat of foreign standard input: other bytes"

# Foreign data is an error without -f, and where the name says that it is an archive.
run 4 lmzip -dc wanted
stderr "lmzip: wanted: not in lmzip format"
cp wanted text.lmz
run 4 lmzcat text.lmz
stderr "lmzip: text.lmz: not in lmzip format"
run 4 lmzip -df text.lmz
stderr "lmzip: text.lmz: not in lmzip format"
run 4 lmzip -d wanted -o c
stderr "lmzip: wanted: not in lmzip format"

# An archive that lost its beginning is no foreign data.
cp a.lmz headless
damage headless 0
run 4 lmzcat headless
stderr_like "lmzip: headless: *"
: >empty
run 4 lmzcat empty
stderr_like "lmzip: empty: *"

# tar calls the program with pipes.
clean
mkdir tree
sample tree/a
sample tree/b 5000
run 0 tar -I lmzip --sort=name -cf t.tar.lmz tree
run 0 tar -I 'lmzip -T0 -1' --sort=name -cf u.tar.lmz tree
for archive in t u; do
  run 0 tar -I lmzip -tf $archive.tar.lmz
  stdout "tree/${nl}tree/a${nl}tree/b"
  mkdir to
  run 0 tar -I lmzip -xf $archive.tar.lmz -C to
  run 0 diff -r tree to/tree
  rm -r to
done
finish
