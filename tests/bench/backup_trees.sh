#!/bin/sh
# backup_trees.sh OUT: makes three snapshots OUT/v1, v2 and v3 of a tree as people back them up, and
# two versions of a disk image, OUT/disk-v1.img and disk-v2.img, to measure deduplication.
#
# The trees hold Debian packages in an old, a middle and a new version, packages that stay the same,
# and what backup_edits.py writes: logs that grow, a database with changed rows, a folder of edited,
# moved and deleted files. About 75 MB are downloaded into OUT/debs (kept), by `apt-get download`:
# nothing is installed. The trees depend only on the versions that apt offers, which OUT/versions.txt
# lists. Needs Debian 12 with package lists (`apt-get update`), dpkg-deb, python3, mke2fs.
set -eu
export LC_ALL=C TZ=UTC
[ $# -eq 1 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 1; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/debs"
out=$(cd "$1" && pwd)
cd "$out"

changing="openssl libssl-dev postgresql-15 python3.11 libpython3.11-stdlib perl-modules-5.36"
constant="adwaita-icon-theme debian-reference-en fonts-dejavu-core"

# The versions of a package, oldest first.
versions() { apt-cache madison "$1" | awk -F'|' '{ gsub(/ /, "", $2); print $2 }' | sort -Vu; }

# pick N: of the lines that come in the first, a middle one or the last, for N of 1, 2 or 3.
pick() {
  awk -v n="$1" '{ line[NR] = $0 }
    END { print line[n == 1 ? 1 : n == 3 ? NR : int((NR + 1) / 2 + 0.5)] }'
}

# unpack PACKAGE VERSION FOLDER
unpack() {
  deb=debs/$1_$(printf %s "$2" | sed 's/:/%3a/g')
  set -- "$1" "$2" "$3" "$deb"_*.deb
  if [ ! -f "$4" ]; then
    (cd debs && apt-get -qq -o APT::Sandbox::User=root download "$1=$2" >&2)
    set -- "$1" "$2" "$3" "$deb"_*.deb
  fi
  mkdir -p "$3"
  dpkg-deb -x "$4" "$3"
  echo "$1 $2" >>versions.txt
}

# snapshot N HEADERS: the packages of one snapshot.
snapshot() {
  echo "# v$1" >>versions.txt
  unpack "$2" "$(versions "$2" | tail -n 1)" "v$1/headers"
  mkdir -p "v$1/src"
  mv "v$1"/headers/usr/src/*-common "v$1/src/linux-headers"
  rm -r "v$1/headers"
  find "v$1/src/linux-headers/arch" -mindepth 1 -maxdepth 1 ! -name x86 ! -name arm64 \
    -exec rm -r {} +
  for package in $changing; do
    unpack "$package" "$(versions "$package" | pick "$1")" "v$1/system"
  done
  for package in $constant; do
    unpack "$package" "$(versions "$package" | tail -n 1)" "v$1/home/docs"
  done
  rm -rf "v$1"/system/usr/lib/postgresql/*/lib/bitcode "v$1/system/usr/share/locale" \
    "v$1/home/docs/usr/share/icons/Adwaita/cursors"
}

# disk_image N: an ext4 file system with a part of a snapshot. Only the times at which inodes changed
# differ from run to run: mke2fs takes those of the files.
disk_image() {
  rm -rf image
  mkdir image
  cp -a "v$1/home/work" "v$1/home/logs" "v$1/home/items.sqlite" image
  mkdir image/bin
  cp -a "v$1"/system/usr/bin/* image/bin
  E2FSPROGS_FAKE_TIME=1704067200 mke2fs -q -F -t ext4 -b 4096 -m 0 -O ^has_journal \
    -U "6c6d7a69-7000-4000-8000-00000000000$1" \
    -E hash_seed=6c6d7a69-7000-4000-8000-000000000000,lazy_itable_init=0,root_owner=0:0 \
    -d image "disk-v$1.img" 48M
  rm -r image
}

all_headers=$(apt-cache search --names-only '^linux-headers-6\.1\.0-[0-9]+-common$' |
  awk '{ print $1 }' | sort -V | tail -n 5)
[ -n "$all_headers" ] || { echo "backup_trees.sh: apt offers no linux-headers-6.1.0-*" >&2; exit 1; }
rm -rf v1 v2 v3 disk-v1.img disk-v2.img versions.txt
for n in 1 2 3; do snapshot $n "$(echo "$all_headers" | pick $n)"; done
python3 "$here/backup_edits.py" "$out"
for n in 1 2; do disk_image $n; done
for n in 1 2 3; do
  find "v$n" -type f -printf '%s\n' |
    awk -v n=$n '{ sum += $1 } END { printf "v%d: %d files, %d bytes\n", n, NR, sum }'
done
