# -v, -q, exit statuses and their order, environment.
. "$(dirname "$0")/lib.sh"

head -c 1000 /dev/zero >a
run 0 lmzip a
size=$(stat -c %s a.lmz)
run 0 lmzip -vf a
stderr "lmzip: a: 1000 -> $size bytes ($(awk "BEGIN { printf \"%.2f\", $size / 10 }") %), a.lmz"
run 0 lmzip -dvf a.lmz
stderr "lmzip: a.lmz: $size -> 1000 bytes ($(awk "BEGIN { printf \"%.2f\", $size / 10 }") %), a"
run 0 lmzip -tv a.lmz
stderr "lmzip: a.lmz: intact, 1000 bytes in 1 block"

mkdir d
run 2 lmzip -q d
run 2 lmzip d
stderr "lmzip: d: is a directory, skipped (use -r to go into it)"
run 0 lmzip --no-warn d
stderr "lmzip: d: is a directory, skipped (use -r to go into it)"
run 1 lmzip -q missing
stderr "lmzip: missing: cannot open: No such file or directory"
run 1 lmzip -qq missing
run 1 lmzip -qq --no-warn missing

# The gravest status wins, in any order.
run 1 lmzip -qqt missing d
run 1 lmzip -qqt d missing
run 4 lmzip -qqt missing a d
run 4 lmzip -qqt a a.lmz missing
run 2 lmzip -qqt a.lmz d a.lmz

# Memory.
run 5 lmzip -f --memlimit=1 a
stderr_like "lmzip: a: memory limit: needs * bytes of memory, more than the limit of 1 (raise it with --memlimit)"
run 5 lmzip -dc --memlimit=1 a.lmz
stderr_like "lmzip: a.lmz: memory limit: needs * bytes of memory, more than the limit of 1 (raise it with --memlimit)"
run 0 lmzip -vc -T64 --memlimit=2GiB a
: >"$work/out/stdout"
check "fewer threads are explained" grep -q '^lmzip: [0-9]* of 64 threads are used because of the memory limit$' "$work/out/stderr"
: >"$work/out/stderr"
run 5 lmzip -dc --max-output=999 a.lmz
: >"$work/out/stdout"
stderr_like "lmzip: a.lmz: *"
run 1 lmzip -dc --max-output=0 a.lmz
stderr_like "lmzip: --max-output=0: *a size of at least 1*"
run 1 lmzip -dc --memlimit=0 a.lmz
stderr_like "lmzip: --memlimit=0: *"
run 0 lmzip -dc --max-output=1000 a.lmz
stdout_is a
run 0 lmzip -f -T64 --memlimit=2GiB a -o b.lmz
same a.lmz b.lmz

# Environment: the command line wins, nonsense is ignored.
head -c 100000 /dev/urandom >r
sample t
for level in 1 9; do
  run 0 env LMZIP_LEVEL=$level lmzip -c t
  cp "$work/out/stdout" e && : >"$work/out/stdout"
  run 0 lmzip -$level -c t
  stdout_is e
  run 0 env LMZIP_LEVEL=3 lmzip -$level -c t
  stdout_is e
done
run 0 env LMZIP_LEVEL=foo LMZIP_THREADS=-1 LMZIP_MEMLIMIT=lots LMZIP_VERIFY=yes LMZIP_ISA=mmx lmzip -f a
stderr "lmzip: LMZIP_LEVEL=foo: ignored, it is not a level from 1 to 9
lmzip: LMZIP_THREADS=-1: ignored, it is not a number from 0 to 1024
lmzip: LMZIP_MEMLIMIT=lots: ignored, it is not a size, a percentage or none
lmzip: LMZIP_VERIFY=yes: ignored, it is not 0 or 1
lmzip: LMZIP_ISA=mmx: ignored, it is not scalar, avx2 or avx512"
run 0 env LMZIP_LEVEL= LMZIP_THREADS=2 LMZIP_MEMLIMIT=50% LMZIP_VERIFY=1 LMZIP_ISA=scalar LMZIP_MODEL_PATH=/x lmzip -f a
run 5 env LMZIP_MEMLIMIT=1 lmzip -f a
stderr_like "lmzip: a: *"
run 0 env LMZIP_MEMLIMIT=1 lmzip -f --memlimit=none a
finish
