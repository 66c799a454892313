# Signals in the middle of the work.
. "$(dirname "$0")/lib.sh"

cat >"$work/send_signal.py" <<'P'
"""send_signal.py NAME [ignored]: sends a signal to lmzip while it reads a pipe; prints how it ended."""
import os, signal, subprocess, sys, time
number = getattr(signal, "SIG" + sys.argv[1])
if "ignored" in sys.argv:
    signal.signal(number, signal.SIG_IGN)
p = subprocess.Popen(["lmzip", "-1", "-o", "out.lmz"], stdin=subprocess.PIPE,
                     stderr=subprocess.PIPE, restore_signals=False)
p.stdin.write(b"some data\n" * 1000)
p.stdin.flush()
for _ in range(200):
    if any(name.endswith(".tmp") for name in os.listdir(".")):
        break
    time.sleep(0.02)
time.sleep(0.1)
p.send_signal(number)
if "ignored" in sys.argv:
    time.sleep(0.2)
    p.stdin.close()
print(p.wait(), p.stderr.read().decode())
P
for name in INT TERM HUP XCPU; do
  number=$(python3 -c "import signal; print(int(signal.SIG$name))")
  run 0 python3 "$work/send_signal.py" $name
  stdout "-$number "
  files
done
run 0 python3 "$work/send_signal.py" HUP ignored
stdout "0 "
files out.lmz
run 0 lmzip -t out.lmz
clean

# USR1 asks for one line of progress.
cat >"$work/send_usr1.py" <<'P'
import os, signal, subprocess, time
p = subprocess.Popen(["lmzip", "-1", "--block-size=64k", "-c"], stdin=subprocess.PIPE,
                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
p.stdin.write(os.urandom(1 << 18))
p.stdin.flush()
time.sleep(0.3)
p.send_signal(signal.SIGUSR1)
time.sleep(0.1)
p.stdin.write(os.urandom(1 << 20))
p.stdin.close()
print(p.wait(), p.stderr.read().decode(), end="")
P
run 0 python3 "$work/send_usr1.py"
stdout_like "0 lmzip: (standard input): * -> * (*), */s"

# The work of a signal that comes in the middle of a long block is not waited for.
cat >"$work/long.py" <<'P'
import os, signal, subprocess, time
p = subprocess.Popen(["lmzip", "long"], stderr=subprocess.PIPE)
for _ in range(200):
    if any(name.endswith(".tmp") for name in os.listdir(".")):
        break
    time.sleep(0.02)
p.send_signal(signal.SIGINT)
begin = time.time()
print(p.wait(), p.stderr.read().decode(), time.time() - begin < 10)
P
sample long 600000
run 0 python3 "$work/long.py"
stdout "-2  True"
files long
finish
