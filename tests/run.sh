#!/bin/sh
# run.sh [--quick | --full]: all tests of lmzip, from a bare Debian 12 on.
#
#   --quick  one build with gcc and its tests
#   (none)   also sanitizers, equality of instruction sets, threads, compilers, optimisation levels
#            and processors on a sample, a reproducible build; under 25 minutes on two cores
#   --full   the same with complete matrices
#
# Installs missing Debian packages by apt (sudo where not root). Builds go to build-test/, or to
# $LMZIP_TEST_DIR. The last line counts; the exit status is 0 only if nothing failed.
set -u
cd "$(dirname "$0")/.." || exit 1
root=$PWD
mode=${1:-}
case $mode in '' | --quick | --full) ;; *) echo "usage: tests/run.sh [--quick | --full]" >&2; exit 1 ;; esac

passed=0 failed=0 skipped=0
finish() {
  if [ $skipped -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
  else
    echo "$passed passed, $failed failed"
  fi
  [ $failed -eq 0 ]
  exit
}

export DEBIAN_FRONTEND=noninteractive
sh packaging/need.sh $(cat packaging/build-packages.txt tests/packages.txt) || {
  echo "FAIL  install packages"
  failed=1
  finish
}

work=${LMZIP_TEST_DIR:-$root/build-test}
mkdir -p "$work/log" || exit 1
cores=$(nproc)
unset LMZIP_LEVEL LMZIP_THREADS LMZIP_MEMLIMIT LMZIP_MODEL_PATH LMZIP_VERIFY LMZIP_ISA
export PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8 CTEST_OUTPUT_ON_FAILURE=1 CMAKE_CXX_COMPILER_LAUNCHER=ccache
export CMAKE_C_COMPILER_LAUNCHER=ccache
# Sanitizers of these compilers do not know the address layout of newer kernels.
fixed_addresses=
setarch -R true 2>/dev/null && fixed_addresses="setarch -R"

# step NAME COMMAND...: runs it, prints a line with the time, counts it as one test. Exit status 77
# means that hardware is missing. Returns 1 unless it passed.
step() {
  name=$1 log=$work/log/$(echo "$1" | tr ' /' '__').log
  shift
  begin=$(date +%s)
  "$@" >"$log" 2>&1
  status=$?
  seconds=$(($(date +%s) - begin))
  case $status in
    0) passed=$((passed + 1)) verdict=ok ;;
    77) skipped=$((skipped + 1)) verdict=skip ;;
    *) failed=$((failed + 1)) verdict=FAIL ;;
  esac
  printf '%-4s  %s (%d s)\n' "$verdict" "$name" "$seconds"
  [ $status -ne 77 ] || tail -n 1 "$log"
  [ $verdict != FAIL ] ||
    { grep -E '^FAILED|error:|undefined reference' "$log" | head -n 40; tail -n 20 "$log"; } |
    cut -c 1-300 | sed 's/^/      /'
  [ $status -eq 0 ]
}

# build NAME TARGET CMAKE-OPTION...: configures and builds in $work/NAME. TARGET may be a list.
build() {
  folder=$work/$1 targets=$2
  shift 2
  cmake -G Ninja -S "$root" -B "$folder" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON "$@" &&
    cmake --build "$folder" --parallel "$cores" --target $targets -- -k 0
}

# ctests NAME FOLDER CTEST-OPTION...: runs tests of a build and counts each of them.
ctests() {
  name=$1 folder=$work/$2 log=$work/log/$(echo "$1" | tr ' /' '__').log
  shift 2
  begin=$(date +%s)
  (cd "$folder" && $fixed_addresses ctest --parallel "$cores" "$@") >"$log" 2>&1
  seconds=$(($(date +%s) - begin))
  good=$(grep -c '^ *[0-9]*/[0-9]* Test .* Passed ' "$log")
  skip=$(grep -c '^ *[0-9]*/[0-9]* Test .*\*\*\*Skipped ' "$log")
  bad=$(($(grep -c '^ *[0-9]*/[0-9]* Test ' "$log") - good - skip))
  [ $((good + skip + bad)) -gt 0 ] || bad=1
  passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + skip))
  verdict=ok
  [ $bad -eq 0 ] || verdict=FAIL
  printf '%-4s  %s: %d passed, %d failed, %d not possible here (%d s)\n' \
    $verdict "$name" "$good" "$bad" "$skip" "$seconds"
  [ $bad -eq 0 ] || grep -vE '^ +Start | Passed +[0-9.]+ sec$' "$log" | tail -n 100 |
    cut -c 1-300 | sed 's/^/      /'
}

gcc_lmzip=$work/gcc/app/lmzip/lmzip
step "build with gcc" build gcc all -DCMAKE_CXX_COMPILER=g++ -DCMAKE_C_COMPILER=gcc \
  -DLMZIP_BUILD_TESTS=ON || finish
ctests "tests, gcc" gcc
[ "$mode" != --quick ] || finish

matrix=sample
[ "$mode" != --full ] || matrix=full
same() { sh tests/equality/same.sh "$matrix" "$gcc_lmzip" "$@"; }

step "instruction set: scalar" same env LMZIP_ISA=scalar "$gcc_lmzip"
needs_cpu() { grep -qw "$1" /proc/cpuinfo || { echo "this processor has no $1"; return 77; }; }
with_isa() { needs_cpu "$2" && same env LMZIP_ISA="$1" "$gcc_lmzip"; }
step "instruction set: avx2" with_isa avx2 avx2
step "instruction set: avx512" with_isa avx512 avx512bw
for threads in 2 3 4; do
  step "threads: $threads" same env LMZIP_THREADS=$threads "$gcc_lmzip"
done

# Other builds of the library, under a program of the first build.
same_library() {
  LD_LIBRARY_PATH=$work/$1/lib sh tests/equality/same.sh --code "$matrix" "$gcc_lmzip" \
    "$work/gcc/tests/lmzip-code"
}
optimised() {
  build "gcc$1" lmzip_shared -DCMAKE_CXX_COMPILER=g++ -DCMAKE_C_COMPILER=gcc \
    -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="$1" && same_library "gcc$1"
}
levels=-O0
[ "$mode" != --full ] || levels="-O0 -O1 -O2 -Os"
for level in $levels; do
  step "optimisation: $level" optimised "$level"
done

step "build with libtorch" build train "lmzip-train lmzip-train-unit" -DCMAKE_CXX_COMPILER=g++ \
  -DCMAKE_C_COMPILER=gcc -DLMZIP_BUILD_TESTS=ON -DLMZIP_WITH_TRAIN=ON &&
  ctests "tests with libtorch" train -R '^train\.'

target=lmzip_shared
[ "$mode" != --full ] || target=all
step "build with clang" build clang $target -DCMAKE_CXX_COMPILER=clang++ \
  -DCMAKE_C_COMPILER=clang -DLMZIP_BUILD_TESTS=ON &&
  step "compiler: clang" same_library clang
[ "$mode" != --full ] || ctests "tests, clang" clang

step "build with ASan and UBSan" build asan "lmzip-unit fuzz-harnesses" \
  -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" -DLMZIP_SANITIZE=fuzzer-no-link,address,undefined \
  -DLMZIP_BUILD_FUZZERS=ON -DLMZIP_BUILD_TESTS=ON &&
  ctests "tests, ASan and UBSan" asan -L "unit|fuzz"
units="engine*"
[ "$mode" != --full ] || units="*"
step "build with TSan" build tsan lmzip-unit -DCMAKE_CXX_COMPILER=g++ -DCMAKE_C_COMPILER=gcc \
  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" -DLMZIP_SANITIZE=thread \
  -DLMZIP_BUILD_TESTS=ON -DLMZIP_UNITS="$units" &&
  TSAN_OPTIONS="suppressions=$root/tests/tsan.supp" ctests "tests, TSan" tsan -L unit

other_processor() {
  debian=$1 cpu=$2
  sh tests/equality/sysroot.sh "$debian" "$work/sysroot-$debian" &&
    build "$debian" lmzip-decode-one -DCMAKE_TOOLCHAIN_FILE="$root/cmake/cross.cmake" \
      -DLMZIP_CROSS_CPU="$cpu" -DLMZIP_CROSS_LIBRARIES="$work/sysroot-$debian/root" \
      -DLMZIP_DECODER_ONLY=ON -DLMZIP_BUILD_TESTS=ON &&
    python3 tests/golden/check.py --decoder "qemu-$cpu" \
      "$work/$debian/tests/lmzip-decode-one"
}
step "processor: aarch64" other_processor arm64 aarch64
step "processor: s390x (big-endian)" other_processor s390x s390x

# In another folder; the whole program in --full only.
reproduced() {
  files=lib/liblmzip.so targets=lmzip_shared
  [ "$mode" != --full ] || files="$files app/lmzip/lmzip" targets="$targets lmzip"
  build again "$targets" -DCMAKE_CXX_COMPILER=g++ -DCMAKE_C_COMPILER=gcc || return 1
  for file in $files; do
    cmp "$work/gcc/$file" "$work/again/$file" || return 1
  done
}
step "reproducible build" reproduced
[ "$mode" != --full ] || for harness in "$work"/asan/tests/*_fuzz; do
  step "fuzz $(basename "$harness") for a minute" $fixed_addresses "$harness" \
    -max_total_time=60 -rss_limit_mb=4096 -artifact_prefix="$work/log/"
done
finish
