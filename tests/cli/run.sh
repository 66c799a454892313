#!/bin/sh
# run.sh BUILD_DIR: runs all tests of the command line with BUILD_DIR/app/lmzip/lmzip.
set -u
LMZIP=$(cd "$1" && pwd)/app/lmzip/lmzip
cd "$(dirname "$0")" || exit 1
passed=0 failed=0 skipped=0
for script in *_test.sh; do
  output=$(sh "./$script" "$LMZIP" 2>&1)
  case $? in
    0) passed=$((passed + 1)) && echo "ok   $script" ;;
    77) skipped=$((skipped + 1)) && echo "skip $script" ;;
    *) failed=$((failed + 1)) && echo "FAIL $script" ;;
  esac
  [ -z "$output" ] || echo "$output" | sed 's/^/     /'
done
if [ $skipped -gt 0 ]; then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]
