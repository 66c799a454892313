#!/bin/sh
# sysroot.sh ARCH FOLDER: unpacks what the decoder links, for another processor, in FOLDER/root.
#
# Packages are fetched by apt with a state of its own and unpacked, not installed: the machine is
# left as it is, no rights are needed, and library versions may differ between architectures
# (Debian gives security updates to some of them only, which rules multiarch installation out).
set -eu
arch=$1
mkdir -p "$2/apt/lists/partial" "$2/apt/cache/archives/partial"
folder=$(cd "$2" && pwd)
[ ! -e "$folder/complete" ] || exit 0

: >"$folder/apt/status"
apt() {
  apt-get -q -o APT::Architecture="$arch" -o APT::Architectures="$arch" \
    -o Dir::State="$folder/apt" -o Dir::State::status="$folder/apt/status" \
    -o Dir::Cache="$folder/apt/cache" "$@" </dev/null
}
fetch() {
  apt update &&
    apt download libzstd-dev libxxhash-dev nettle-dev
}
cd "$folder"
fetch || { sleep 10 && fetch; }
for package in *.deb; do
  dpkg-deb -x "$package" root
done
# Programs are linked statically, so that the emulator needs no libraries.
find root -name '*.so' -delete
touch complete
