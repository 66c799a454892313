#!/bin/sh
# text.sh [OPTION...] CORPUS: sizes, speeds and memory of lmzip beside zstd, xz, bzip3 and zpaq.
# See tests/bench/text.py --help; the programs come from Debian.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sh "$here/../../packaging/need.sh" python3 bzip3 xz-utils zpaq zstd
exec python3 "$here/text.py" "$@"
