# Pipes that end, full disks, closed streams, terminals.
. "$(dirname "$0")/lib.sh"

sample a 20000
lmzip -1 <a >a.lmz || fail "pipe"

# A reader that goes away: SIGPIPE, silent.
cat >pipe.py <<'P'
import os, signal, subprocess, sys
signal.signal(signal.SIGPIPE, signal.SIG_IGN if sys.argv[1] == "ignored" else signal.SIG_DFL)
r, w = os.pipe()
os.close(r)
p = subprocess.run(sys.argv[2:], stdout=w, stderr=subprocess.PIPE, restore_signals=False)
print(p.returncode, p.stderr.decode())
P
run 0 python3 pipe.py default lmzip -dc a.lmz
stdout "-13 "
run 0 python3 pipe.py ignored lmzip -dc a.lmz
stdout "1 "
run 0 python3 pipe.py ignored lmzip -c a
stdout "1 "
run 0 python3 pipe.py ignored lmzip -dc a.lmz a.lmz missing
stdout "1 "

# Output errors.
run 1 sh -c 'lmzip -c a >/dev/full'
stderr "lmzip: (standard output): I/O error while writing: No space left on device"
run 1 sh -c 'lmzip -dc a.lmz >/dev/full'
stderr "lmzip: (standard output): I/O error while writing: No space left on device"
run 1 sh -c 'lmzip -l a.lmz >/dev/full'
stderr "lmzip: (standard output): I/O error while writing: No space left on device"
run 1 sh -c 'lmzip -c a >&-'
stderr "lmzip: (standard output): I/O error while writing: Bad file descriptor"
run 1 sh -c 'lmzip -dc a.lmz >&-'
stderr "lmzip: (standard output): I/O error while writing: Bad file descriptor"
run 1 sh -c 'lmzip <&- >/dev/null'
stderr_like "lmzip: (standard input): I/O error*"
run 1 sh -c 'lmzip missing 2>&-'
run 0 sh -c 'lmzip -f a <&- 2>&-'
run 0 lmzip -t a.lmz

# A full disk leaves nothing behind.
clean
sample a 20000
mkdir small
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k none small 2>/dev/null; then
  cp "$LMZIP" big
  run 1 lmzip -1 big -o small/big.lmz
  stderr "lmzip: small/big.lmz: I/O error while writing: No space left on device"
  [ -z "$(ls -A small)" ] || fail "full disk leaves: $(ls -A small)"
  run 0 lmzip a
  run 1 lmzip -d a.lmz -o small/a
  stderr "lmzip: small/a: I/O error while writing: No space left on device"
  [ -z "$(ls -A small)" ] || fail "full disk leaves: $(ls -A small)"
  umount small
fi

# A limit of the file size: the signal ends the program, nothing is left.
clean
sample a 20000
cp a wanted
run 0 lmzip a
rm a
sh -c 'ulimit -f 10; lmzip -d a.lmz' 2>/dev/null
[ $? = 153 ] || fail "SIGXFSZ: exit status $?"
files a.lmz wanted
sh -c 'trap "" XFSZ; ulimit -f 10; exec lmzip -d a.lmz' 2>"$work/out/err"
[ $? = 1 ] || fail "SIGXFSZ ignored: exit status"
grep -q 'I/O error while writing: File too large' "$work/out/err" || fail "SIGXFSZ ignored: $(cat "$work/out/err")"
files a.lmz wanted
finish
