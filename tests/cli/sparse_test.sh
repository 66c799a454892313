# Holes.
. "$(dirname "$0")/lib.sh"

{ echo begin; head -c 8000000 /dev/zero; echo middle; head -c 4000000 /dev/zero; } >a
run 0 lmzip -1 a
blocks() { stat -c %b "$1"; }

run 0 lmzip -d a.lmz -o b
same a b
[ "$(blocks b)" -lt 200 ] || fail "no holes: $(blocks b) blocks"
run 0 lmzip -d --sparse -f a.lmz -o b
[ "$(blocks b)" -lt 200 ] || fail "--sparse: no holes: $(blocks b) blocks"
run 0 lmzip -d --no-sparse -f a.lmz -o b
same a b
[ "$(blocks b)" -gt 20000 ] || fail "--no-sparse: holes: $(blocks b) blocks"

lmzip -dc a.lmz >c || fail "to stdout"
same a c
[ "$(blocks c)" -lt 200 ] || fail "stdout: no holes: $(blocks c) blocks"
lmzip -dc --no-sparse a.lmz >c || fail "to stdout"
same a c
[ "$(blocks c)" -gt 20000 ] || fail "stdout, --no-sparse: holes"

# Appending, and a position before the end.
echo front >c
lmzip -dc a.lmz >>c || fail "append"
{ echo front; cat a; } | cmp -s - c || fail "append: other bytes"
{ head -c 9000000 a; } | tr '\0' x >c
lmzip -dc a.lmz 1<>c || fail "write into a file"
head -c "$(stat -c %s a)" c | cmp -s - a || fail "write into a file: other bytes"
# Who shares the descriptor goes on behind the hole.
(lmzip -dc a.lmz; echo end) >c
{ cat a; echo end; } | cmp -s - c || fail "shared descriptor"
(echo front; lmzip -dc a.lmz a.lmz) >c
{ echo front; cat a a; } | cmp -s - c || fail "two archives"
lmzip -dc a.lmz | cmp -s - a || fail "pipe"
finish
