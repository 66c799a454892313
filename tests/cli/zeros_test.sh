# 5 GB of zeros through a pipe, both ways, within little memory.
. "$(dirname "$0")/lib.sh"

run 0 sh -c 'head -c 5000000000 /dev/zero | lmzip --memlimit=450MiB >zeros.lmz'
check "they take next to no room" [ "$(stat -c %s zeros.lmz)" -lt 20000 ]
run 0 sh -c 'lmzip -d --memlimit=350MiB <zeros.lmz | cmp -n 5000000000 - /dev/zero'
run 0 lmzip -l --json zeros.lmz
check "their number is known" grep -q '"plain_bytes": *5000000000' "$work/out/stdout"
: >"$work/out/stdout"
finish
