#!/bin/sh
# nightly-logs.sh FOLDER: compresses yesterday's rotated logs of FOLDER and removes the originals.
#
#   17 3 * * *  root  /usr/local/bin/nightly-logs.sh /var/log/myservice
#
# lmzip is silent when all went well, so that cron sends mail only when something needs a look.
# --rm removes a log only after its archive was decoded, compared and synced to disk.
set -u
folder=${1:?usage: nightly-logs.sh FOLDER}
[ -d "$folder" ] || { echo "nightly-logs.sh: $folder: no such folder" >&2; exit 1; }
worst=0
for log in "$folder"/*.log.[0-9]*; do
  case $log in *.lmz | *.gz | *.bz2 | *.xz | *.zst) continue ;; esac
  [ -f "$log" ] || continue
  nice lmzip --rm --memlimit=1GiB -- "$log"
  status=$?
  # 2 is a warning, e.g. an owner that could not be kept: the archive is good.
  [ $status -eq 0 ] || [ $status -eq 2 ] || worst=$status
done
exit $worst
