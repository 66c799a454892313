#!/bin/sh
# chunks.sh TREES [OPTION...]: measures deduplication on the trees that backup_trees.sh made: unique
# bytes for several sizes of chunks, then coded bytes of the snapshots with the options given
# (--level, --average, --order, --copies; see tests/bench/chunks/main.cpp). The program is
# $LMZIP_CHUNKS, or that of the build folder.
set -eu
[ $# -ge 1 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 1; }
root=$(cd "$(dirname "$0")/../.." && pwd)
chunks=${LMZIP_CHUNKS:-$root/build/tests/lmzip-chunks}
[ -x "$chunks" ] || { echo "chunks.sh: $chunks: no such program (target lmzip-chunks)" >&2; exit 1; }
cd "$1"
shift
"$chunks" --sizes v1 v2 v3 disk-v1.img disk-v2.img
"$chunks" "$@" v1 v2 v3
