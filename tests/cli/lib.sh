# Helpers for the tests of the command line. Each test is a POSIX shell script that begins with
#   . "$(dirname "$0")/lib.sh"
# and is called with the path of the program, or has it in $LMZIP. It runs in an empty directory of
# its own, which is removed at the end, and ends with `finish`.
LC_ALL=C.UTF-8
export LC_ALL
unset LMZIP_LEVEL LMZIP_THREADS LMZIP_MEMLIMIT LMZIP_MODEL_PATH LMZIP_VERIFY LMZIP_ISA
umask 022
LMZIP=${1:-${LMZIP:?path of the program}}
LMZIP=$(cd "$(dirname "$LMZIP")" && pwd)/$(basename "$LMZIP")
tests=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$tests/../.." && pwd)
work=$(mktemp -d) || exit 1
mkdir "$work/bin" "$work/out" "$work/dir"
ln -s "$LMZIP" "$work/bin/lmzip"
ln -s "$LMZIP" "$work/bin/unlmzip"
ln -s "$LMZIP" "$work/bin/lmzcat"
PATH=$work/bin:$PATH
export PATH
cd "$work/dir" || exit 1
trap 'cd / && rm -rf "$work"' EXIT
failed=0
nl='
'

fail() {
  echo "FAIL $(basename "$0"): $*"
  failed=$((failed + 1))
}

# run STATUS COMMAND...: runs it and checks its exit status; stdout and stderr are kept for
# `stdout` and `stderr`. What is not looked at must be empty: the next `run` checks that.
run() {
  settle
  wanted_status=$1
  shift
  command=$*
  "$@" >"$work/out/stdout" 2>"$work/out/stderr" </dev/null
  got=$?
  [ "$got" = "$wanted_status" ] || fail "$command: exit status $got, not $wanted_status; stderr: $(cat "$work/out/stderr")"
}

settle() {
  [ -n "${command:-}" ] || return 0
  [ ! -s "$work/out/stdout" ] || fail "$command: unexpected stdout: $(head -c 300 "$work/out/stdout")"
  [ ! -s "$work/out/stderr" ] || fail "$command: unexpected stderr: $(head -c 300 "$work/out/stderr")"
  command=
}

# stdout TEXT, stderr TEXT: what the last `run` printed must be exactly TEXT and a line feed.
stdout() { compare stdout "$1"; }
stderr() { compare stderr "$1"; }
compare() {
  printf '%s\n' "$2" >"$work/out/wanted"
  cmp -s "$work/out/wanted" "$work/out/$1" ||
    fail "$command: $1 is$nl$(cat "$work/out/$1")${nl}not$nl$2"
  : >"$work/out/$1"
}

# stdout_like PATTERN, stderr_like PATTERN: one line that matches a shell pattern.
stdout_like() { match stdout "$1"; }
stderr_like() { match stderr "$1"; }
match() {
  text=$(cat "$work/out/$1")
  # shellcheck disable=SC2254
  case $text in
    *"$nl"*) fail "$command: $1 is more than a line: $text" ;;
    $2) ;;
    *) fail "$command: $1 is: $text; not like: $2" ;;
  esac
  : >"$work/out/$1"
}

# stdout_is FILE: the last `run` printed the bytes of FILE.
stdout_is() {
  cmp -s "$1" "$work/out/stdout" || fail "$command: stdout is not $1"
  : >"$work/out/stdout"
}

# files NAME...: the directory holds exactly these, in the order of bytes.
files() {
  have=$(ls -A | LC_ALL=C sort | tr '\n' ' ')
  [ "$have" = "${*:+$* }" ] || fail "after $command: files are: $have; not: $*"
}

same() { cmp -s "$1" "$2" || fail "after $command: $1 and $2 differ"; }

# check TEXT CONDITION...: the condition must hold.
check() {
  text=$1
  shift
  "$@" >/dev/null 2>&1 || fail "$text"
}

# clean: empties the directory.
clean() {
  settle
  find . -mindepth 1 -delete
}

# sample FILE [LINES]: some text.
sample() {
  awk -v n="${2:-300}" 'BEGIN { for (i = 0; i < n; ++i) printf "line %d of a sample, %d\n", i, i * i % 97 }' >"$1"
}

# damage FILE OFFSET: changes one byte.
damage() {
  byte=$(dd if="$1" bs=1 skip="$2" count=1 2>/dev/null | od -An -tu1 | tr -d ' ')
  printf "\\$(printf %o $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

skip() {
  echo "SKIP $(basename "$0"): $*"
  exit 77
}

finish() {
  settle
  [ $failed -eq 0 ]
  exit
}
