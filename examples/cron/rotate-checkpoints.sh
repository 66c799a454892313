#!/bin/sh
# rotate-checkpoints.sh FOLDER: compresses the checkpoints of a training run (*.safetensors in the
# order of their names), each against the one before, and removes the originals.
# rotate-checkpoints.sh --restore FOLDER NAME.safetensors: brings one of them back.
#
#   7 * * * *  trainer  /usr/local/bin/rotate-checkpoints.sh /srv/run7/checkpoints
#
# The training run has to give a checkpoint its name when it is whole (write elsewhere, then mv).
# --rm removes a checkpoint only after its archive was decoded, compared and synced to disk. Every
# ninth is complete (--delta-depth): a chain of archives is as safe as the oldest one in it.
set -u
depth=8

# The archives that come before name $2 in folder $1, the latest first, up to a complete one.
chain_before() {
  found=
  for archive in "$1"/*.safetensors.lmz; do
    [ -f "$archive" ] || continue
    [ "$(printf '%s\n%s\n' "${archive##*/}" "$2" | LC_ALL=C sort | head -n 1)" = "$2" ] && break
    # A comma in a name is written as two.
    name=$(printf %s "$archive" | sed 's/,/,,/g')
    if lmzip info "$archive" | grep -q 'needs a base'; then
      found="$name,$found"
    else
      found="$name,"
    fi
  done
  printf %s "${found%,}"
}

if [ "${1:-}" = --restore ]; then
  folder=${2:?usage: rotate-checkpoints.sh --restore FOLDER NAME} name=${3:?no checkpoint}
  base=$(chain_before "$folder" "$name.lmz")
  exec lmzip -d ${base:+"--base=$base"} -- "$folder/$name.lmz"
fi

folder=${1:?usage: rotate-checkpoints.sh FOLDER}
[ -d "$folder" ] || { echo "rotate-checkpoints.sh: $folder: no such folder" >&2; exit 1; }
worst=0
for checkpoint in "$folder"/*.safetensors; do
  [ -f "$checkpoint" ] || continue
  base=$(chain_before "$folder" "${checkpoint##*/}.lmz")
  nice lmzip --rm --delta-depth=$depth ${base:+"--base=$base"} -- "$checkpoint"
  status=$?
  # 2 is a warning, e.g. an owner that could not be kept: the archive is good.
  [ $status -eq 0 ] || [ $status -eq 2 ] || worst=$status
done
exit $worst
