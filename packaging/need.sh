#!/bin/sh
# need.sh PACKAGE...: installs by apt those Debian packages that are not installed, and says so.
set -eu

missing=
for package; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
    missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "need.sh: please install:$missing" >&2
  exit 1
fi
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
if [ "$as_root" ] && ! command -v sudo >/dev/null; then
  echo "need.sh: sudo is missing; as root, please install:$missing" >&2
  exit 1
fi
echo "Installing Debian packages:$missing"
export DEBIAN_FRONTEND=noninteractive
install_missing() {
  $as_root apt-get -q update </dev/null &&
    $as_root apt-get -q -y --no-install-recommends install $missing </dev/null
}
install_missing || { echo "apt failed; trying once more" && sleep 10 && install_missing; }
