#!/bin/sh
# make.sh LMZIP: makes all golden archives and their tables anew with this build of lmzip.
set -eu
exec python3 "$(dirname "$0")/make.py" "$1"
