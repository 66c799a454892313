#!/bin/sh
# compare.sh [OPTION...] CORPUS...: sizes, speeds and memory of lmzip beside zstd, xz, brotli,
# bzip3, 7-Zip's PPMd, zpaq and any other program; --scaling and --small-blocks measure others.
# See tests/bench/compare.py --help; the programs come from Debian.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sh "$here/../../packaging/need.sh" python3 7zip brotli bzip3 gcc libc6-dev libzstd-dev time \
  xz-utils zpaq zstd >&2
exec python3 "$here/compare.py" "$@"
