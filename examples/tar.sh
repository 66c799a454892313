#!/bin/sh
# tar.sh: a folder as .tar.lmz and back. Needs lmzip on the PATH and GNU tar.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p project/docs
echo 'int main() {}' >project/main.c
echo 'Read me.' >project/docs/readme.txt

tar -I lmzip -cf project.tar.lmz project              # default level, one thread
tar -I 'lmzip -T0 -9' -cf smallest.tar.lmz project    # all cores, strongest level
tar -I lmzip -tf project.tar.lmz                      # list
mkdir restored
tar -I lmzip -xf project.tar.lmz -C restored
diff -r project restored/project
