# Checkpoints against others: --base, --delta-depth, chains, lmzip rebase, wrong and missing bases.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "no python3"
python3 "$tests/checkpoints.py" .

size() { wc -c <"$1"; }
smaller() { # FILE PERCENT OTHER: at most so many per cent of the other
  [ $(($(size "$1") * 100)) -le $(($(size "$3") * $2)) ] ||
    fail "$1 has $(size "$1") bytes, more than $2 % of $(size "$3")"
}

# A chain of three.
run 0 lmzip -o plain.lmz step1.safetensors
run 0 lmzip --base step0.safetensors step1.safetensors
smaller step1.safetensors.lmz 75 plain.lmz
run 0 lmzip --base=step1.safetensors.lmz --base=step0.safetensors step2.safetensors
run 0 lmzip --base=step2.safetensors.lmz,step1.safetensors.lmz,step0.safetensors step3.safetensors
for step in 1 2 3; do smaller step$step.safetensors.lmz 75 plain.lmz; done
run 0 lmzip info step2.safetensors.lmz
grep -q '^    needs a base (--base), in a chain of 2 archives$' "$work/out/stdout" ||
  fail "info: $(cat "$work/out/stdout")"
grep -q 'delta 0 \[F32\]' "$work/out/stdout" || fail "info: $(cat "$work/out/stdout")"
: >"$work/out/stdout"
run 0 lmzip info --json step3.safetensors.lmz
grep -q '"base_depth":3' "$work/out/stdout" || fail "info --json: $(cat "$work/out/stdout")"
: >"$work/out/stdout"

# The middle one comes back, in any order of the bases, on any threads, as a whole and in parts.
for bases in step1.safetensors.lmz,step0.safetensors step0.safetensors,step1.safetensors.lmz \
  step1.safetensors; do
  run 0 lmzip -dc --base $bases step2.safetensors.lmz
  stdout_is step2.safetensors
done
run 0 lmzip -dc -T2 --base step0.safetensors,step1.safetensors.lmz,step2.safetensors.lmz step3.safetensors.lmz
stdout_is step3.safetensors
run 0 lmzip -t --base step1.safetensors step2.safetensors.lmz
run 0 lmzip verify --base step1.safetensors step2.safetensors.lmz
run 0 lmzip -dc --range=50000:3000 --base step1.safetensors step2.safetensors.lmz
tail -c +50001 step2.safetensors | head -c 3000 >part
stdout_is part
run 0 lmzip extract step2.safetensors.lmz --tensor=head.bias --base=step1.safetensors
tail -c 28 step2.safetensors >part
stdout_is part
run 6 lmzip extract step2.safetensors.lmz --tensor=head.bias -o tensor
stderr "lmzip: step2.safetensors.lmz: needs a base, and none was given (give the checkpoint that it was made against with --base)"
[ ! -e tensor ] || fail "extract left a file without a base"
run 0 lmzip list step2.safetensors.lmz
grep -q '^F32 .* layer.1.w$' "$work/out/stdout" || fail "list: $(cat "$work/out/stdout")"
: >"$work/out/stdout"

# All forms of a base serve, for either direction, and so does its archive.
run 0 lmzip -o step0.lmz step0.safetensors
for base in step0 step0/model.safetensors.index.json step0.pt renamed.safetensors step0.lmz; do
  run 0 lmzip -dc --base $base step1.safetensors.lmz
  stdout_is step1.safetensors
  run 0 lmzip -fo other.lmz --base $base step1.safetensors
  smaller other.lmz 80 plain.lmz
  run 0 lmzip -dc --base step0.safetensors other.lmz
  stdout_is step1.safetensors
done
lmzip -c step0/model-00001-of-00002.safetensors >joined.lmz
lmzip -c step0/model-00002-of-00002.safetensors >>joined.lmz
run 0 lmzip -dc --base joined.lmz step1.safetensors.lmz
stdout_is step1.safetensors

# The same archive from all levels of threads; equal tensors cost next to nothing, casts too.
run 0 lmzip -T2 -fo other.lmz --base step0.safetensors step1.safetensors
same other.lmz step1.safetensors.lmz
run 0 lmzip -fo other.lmz --base step0.safetensors renamed.safetensors
smaller other.lmz 2 step0.safetensors
run 0 lmzip -dc --base step0 other.lmz
stdout_is renamed.safetensors
run 0 lmzip -fo other.lmz --base step3.safetensors step3.bf16.safetensors
smaller other.lmz 2 step3.safetensors
run 0 lmzip -dc --base step3.safetensors other.lmz
stdout_is step3.bf16.safetensors
for level in 1 4 9; do
  run 0 lmzip -$level --verify --strong -fo other.lmz --base step3.bf16.safetensors step3.safetensors
  run 0 lmzip -dc --base step3.bf16.safetensors other.lmz
  stdout_is step3.safetensors
done
# What has no partner needs no base.
sample text
run 0 lmzip -fo other.lmz --base step0.safetensors text
run 0 lmzip -dc other.lmz
stdout_is text
# A pipe, and a checkpoint that ends too early.
head -c 70001 step1.safetensors >short
lmzip --base step0.safetensors <short >other.lmz || fail "a short checkpoint"
run 0 lmzip -dc --base step0.safetensors other.lmz
stdout_is short

# Nothing goes that an archive needs.
cp step1.safetensors own.safetensors
run 1 lmzip --rm --base own.safetensors own.safetensors
stderr "lmzip: own.safetensors: is its own base: it cannot be used with --rm"
check "nothing is removed" test -e own.safetensors -a ! -e own.safetensors.lmz
run 0 lmzip --rm --base step0.safetensors own.safetensors
check "the input is removed" test ! -e own.safetensors
run 0 lmzip -dc --base step0.safetensors own.safetensors.lmz
stdout_is step1.safetensors

# --delta-depth: a full one every few.
run 0 lmzip -fv --delta-depth=2 -o other.lmz --base=step2.safetensors.lmz,step1.safetensors.lmz,step0.safetensors step3.safetensors
grep -q 'the base is not used: the chain would have 3 archives, more than 2 (--delta-depth)' "$work/out/stderr" ||
  fail "--delta-depth: $(cat "$work/out/stderr")"
: >"$work/out/stderr"
run 0 lmzip -dc other.lmz
stdout_is step3.safetensors
for depth in 0 256 x; do
  run 1 lmzip --delta-depth=$depth -c step3.safetensors
  stderr "lmzip: --delta-depth=$depth: not a number from 1 to 255 (try lmzip --help)"
done

# Missing, wrong and damaged bases: exit 6, and nothing on disk.
mkdir restored && cd restored || exit 1
missing="(give the checkpoint that it was made against with --base)"
for option in -d -t -dc; do
  cp ../step2.safetensors.lmz .
  run 6 lmzip $option step2.safetensors.lmz
  stderr "lmzip: step2.safetensors.lmz: needs a base, and none was given $missing"
  run 6 lmzip $option --base ../other.safetensors step2.safetensors.lmz
  : >"$work/out/stdout"
  stderr_like "lmzip: step2.safetensors.lmz: needs another base: none of those given holds the tensor * bytes $missing"
  cp ../step1.safetensors damaged.safetensors
  damage damaged.safetensors 9000
  run 6 lmzip $option --base damaged.safetensors step2.safetensors.lmz
  : >"$work/out/stdout"
  stderr_like "lmzip: step2.safetensors.lmz: needs another base: *$missing"
  cp ../step1.safetensors.lmz damaged.lmz
  damage damaged.lmz 9000
  run 6 lmzip $option --base ../step0.safetensors,damaged.lmz step2.safetensors.lmz
  : >"$work/out/stdout"
  stderr_like "lmzip: step2.safetensors.lmz: needs another base: *(base damaged.lmz: corrupt block *"
  # A link of the chain is not there.
  run 6 lmzip $option --base ../step1.safetensors.lmz step2.safetensors.lmz
  : >"$work/out/stdout"
  stderr_like "lmzip: step2.safetensors.lmz: needs another base: *(base ../step1.safetensors.lmz: needs another base: *"
  rm damaged.safetensors damaged.lmz
  files step2.safetensors.lmz
done
run 6 lmzip --base ../step1.safetensors.lmz -o new.lmz ../step2.safetensors
stderr_like "lmzip: *needs another base: *"
files step2.safetensors.lmz
run 1 lmzip --base nothing -o new.lmz ../step2.safetensors
stderr "lmzip: nothing: cannot open: No such file or directory"
run 1 lmzip --base ../text -o new.lmz ../step2.safetensors
stderr "lmzip: --base: base ../text: holds no tensors, so nothing can be compressed against it"
run 1 lmzip --base= -o new.lmz ../step2.safetensors
stderr "lmzip: --base=: not a file, or several with commas between them (try lmzip --help)"
run 1 lmzip -d --base . step2.safetensors.lmz
stderr "lmzip: .: holds no safetensors files"
run 5 lmzip -d --memlimit=1MiB --base ../step1.safetensors step2.safetensors.lmz
stderr_like "lmzip: step2.safetensors.lmz: memory limit: *"
files step2.safetensors.lmz
run 6 lmzip repair step2.safetensors.lmz -o new.lmz
stderr "lmzip: step2.safetensors.lmz: needs a base, and none was given $missing"
run 0 lmzip repair --base ../step1.safetensors step2.safetensors.lmz -o new.lmz
: >"$work/out/stderr"
same new.lmz step2.safetensors.lmz
rm new.lmz

# lmzip rebase.
run 6 lmzip rebase step2.safetensors.lmz
stderr "lmzip: step2.safetensors.lmz: needs a base, and none was given $missing"
run 6 lmzip rebase --base ../other.safetensors step2.safetensors.lmz
stderr_like "lmzip: step2.safetensors.lmz: needs another base: *"
same step2.safetensors.lmz ../step2.safetensors.lmz
run 0 lmzip rebase --base ../step1.safetensors step2.safetensors.lmz -o free.lmz
run 0 lmzip -dc free.lmz
stdout_is ../step2.safetensors
run 0 lmzip -c ../step2.safetensors
stdout_is free.lmz
run 1 lmzip rebase --base ../step1.safetensors step2.safetensors.lmz -o free.lmz
stderr "lmzip: free.lmz: already exists (use -f to replace it)"
run 0 lmzip rebase --base ../step1.safetensors --onto ../step0.safetensors step2.safetensors.lmz
run 0 lmzip -dc --base ../step0.safetensors step2.safetensors.lmz
stdout_is ../step2.safetensors
run 0 lmzip rebase --base ../step0.safetensors step2.safetensors.lmz
same step2.safetensors.lmz free.lmz
run 0 lmzip rebase step2.safetensors.lmz
stderr "lmzip: step2.safetensors.lmz: needs no base: nothing to do"
files free.lmz step2.safetensors.lmz
cp ../step2.safetensors.lmz .
run 1 lmzip rebase --base ../step1.safetensors --onto step2.safetensors.lmz,../step1.safetensors step2.safetensors.lmz
stderr "lmzip: step2.safetensors.lmz: --onto: the archive itself is no base for it"
run 1 lmzip rebase --base ../step1.safetensors step2.safetensors.lmz \
  --onto ../step3.safetensors.lmz,../step2.safetensors.lmz,../step1.safetensors.lmz,../step0.safetensors
stderr_like "lmzip: step2.safetensors.lmz: --onto: the chain would become longer, *(use -o)"
same step2.safetensors.lmz ../step2.safetensors.lmz
run 1 lmzip rebase step2.safetensors.lmz free.lmz
stderr "lmzip: one archive, and no standard output: lmzip rebase ARCHIVE --base=OLD [-o NEW] (try lmzip --help)"
run 1 lmzip -d --onto=x step2.safetensors.lmz
stderr "lmzip: --onto goes with rebase only (try lmzip --help)"
finish
