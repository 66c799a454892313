#!/bin/sh
# make.sh FOLDER: writes three sample files into FOLDER, the same bytes every time.
#
#   documents.txt   the texts of this repository
#   sources.txt     its C++ sources
#   service.log     an invented log of a web service, from the little generator below
set -eu
export LC_ALL=C
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."

# first_bytes FILE...: the first 120000 bytes of all of them together.
first_bytes() {
  cat "$@" >"$folder/all"
  head -c 120000 "$folder/all"
  rm "$folder/all"
}
first_bytes *.md man/*.[15] formats/*.md vocab/*.md >"$folder/documents.txt"
first_bytes lib/c*/*.cpp lib/c*/*/*.cpp lib/e*/*.cpp >"$folder/sources.txt"

awk '
  # A linear congruential generator, so that every awk makes the same log.
  function below(n) { state = (state * 16807) % 2147483647; return state % n }
  BEGIN {
    state = 20240229
    paths = split("/ /login /search /cart /cart/add /static/app.js /static/site.css " \
                  "/api/v1/items /api/v1/orders /api/v1/users /health", path, " ")
    agents = split("Mozilla/5.0 (X11; Linux x86_64)|curl/7.88.1|Prometheus/2.42.0", agent, "|")
    for (line = 0; line < 900; line++) {
      second += below(3)
      status = below(40) == 0 ? 500 : below(12) == 0 ? 404 : below(9) == 0 ? 302 : 200
      printf "10.%d.%d.%d - - [29/Feb/2024:%02d:%02d:%02d +0000] \"%s %s HTTP/1.1\" %d %d \"%s\"\n",
        below(4), below(16), below(250), 6 + int(second / 3600), int(second / 60) % 60,
        second % 60, below(5) ? "GET" : "POST", path[1 + below(paths)], status,
        status == 200 ? 300 + below(20000) : 150, agent[1 + below(agents)]
    }
  }' >"$folder/service.log"
