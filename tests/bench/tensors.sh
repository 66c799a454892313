#!/bin/sh
# tensors.sh [OPTION...] CORPUS...: sizes, speeds and memory of lmzip on checkpoints beside zstd, xz,
# bzip2, lz4, gzip, and zstd on byte planes. See tests/bench/tensors.py --help; the programs come
# from Debian.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sh "$here/../../packaging/need.sh" python3 bzip2 gzip lz4 time xz-utils zstd >&2
exec python3 "$here/tensors.py" "$@"
