# What a terminal sees.
. "$(dirname "$0")/lib.sh"

# on_terminal.py [0][1][2] COMMAND...: runs it with these descriptors on a terminal; prints the exit status
# and what the terminal saw.
cat >"$work/on_terminal.py" <<'P'
import os, pty, subprocess, sys
main, other = pty.openpty()
on = sys.argv[1]
pick = lambda n, default: other if n in on else default
p = subprocess.Popen(sys.argv[2:], stdin=pick("0", subprocess.DEVNULL),
                     stdout=pick("1", subprocess.DEVNULL), stderr=pick("2", subprocess.DEVNULL))
os.close(other)
seen = b""
while True:
    try:
        part = os.read(main, 65536)
    except OSError:
        break
    if not part:
        break
    seen += part
print(p.wait(), seen.decode("latin-1").replace("\r\n", "\n").replace("\r", "<CR>").replace("\x1b", "<ESC>"), end="")
P
pty() { python3 "$work/on_terminal.py" "$@"; }

sample a
cp a wanted
run 0 lmzip a

run 0 pty 12 lmzip -c a
stdout "1 lmzip: (standard output): compressed data is not written to a terminal (use -o FILE, or -f to force it)"
run 0 pty 012 lmzip
stdout "1 lmzip: (standard output): compressed data is not written to a terminal (use -o FILE, or -f to force it)"
run 0 pty 02 lmzip -d
stdout "1 lmzip: (standard input): compressed data is not read from a terminal (use -f to force it)"
run 0 pty 02 lmzip -t
stdout "1 lmzip: (standard input): compressed data is not read from a terminal (use -f to force it)"
run 0 pty 02 lmzip -l
stdout "1 lmzip: (standard input): compressed data is not read from a terminal (use -f to force it)"
pty 1 lmzip -cf a >seen
check "-cf writes to a terminal" grep -q LMZ seen
run 0 pty 12 lmzip -dc a.lmz
sed 's/^/x/; 1s/^x/0 /; s/^x//' wanted >seen
stdout_is seen

# The bar is erased, and is not there where it would do harm.
head -c 6000000 /dev/zero >zeros
pty 2 lmzip -1 -f zeros >seen
check "there is a bar" grep -q 'zeros: .*ETA\|zeros: 0.0 %' seen
[ "$(tail -c 11 seen)" = '<CR><ESC>[K' ] || fail "the bar is not erased: $(cat seen)"
for options in -q --no-progress; do
  run 0 pty 2 lmzip -1 -f $options zeros
  printf '0 ' >seen
  stdout_is seen
done
run 0 pty 12 lmzip -1 -dcf a.lmz
: >"$work/out/stdout"
run 0 lmzip -1 -f --progress zeros
check "no carriage return outside a terminal" sh -c "! grep -q $(printf '\r') '$work/out/stderr'"
: >"$work/out/stderr"
run 0 lmzip -1 -f --progress=json zeros
tail -n 1 "$work/out/stderr" >seen
check "JSON progress" python3 -c '
import json
line = json.load(open("seen"))
assert line["event"] == "progress" and line["name"] == "zeros", line
assert line["plain_bytes"] == line["total_bytes"] == 6000000, line
assert line["coded_bytes"] > 0 and line["seconds"] >= 0, line'
: >"$work/out/stderr"
finish
