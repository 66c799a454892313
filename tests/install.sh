#!/bin/sh
# install.sh BUILD: installs a finished build into an empty folder, compiles the examples against
# what is there by pkg-config and by find_package, and looks into the Debian packages.
set -eu
build=$1
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/usr" >"$work/installed"
for file in bin/lmzip bin/unlmzip bin/lmzcat share/man/man1/lmzip.1 share/man/man5/lmzip-format.5 \
  share/bash-completion/completions/lmzip share/zsh/vendor-completions/_lmzip \
  share/fish/vendor_completions.d/lmzip.fish include/lmzip/lmzip.h; do
  [ -e "$work/usr/$file" ] || { echo "not installed: $file"; exit 1; }
done
echo "Some text to keep." >"$work/text"
"$work/usr/bin/lmzip" "$work/text"
rm "$work/text"
"$work/usr/bin/unlmzip" -k "$work/text.lmz"
[ "$("$work/usr/bin/lmzcat" "$work/text.lmz")" = "$(cat "$work/text")" ]

# The examples are filters that compress, or decompress with -d, but for those with other names.
round_trip() {
  "$1" <"$work/text" >"$work/coded"
  "$1" -d <"$work/coded" | cmp - "$work/text"
}
libraries=$(dirname "$(find "$work/usr" -name 'liblmzip.so')")
export LD_LIBRARY_PATH="$libraries" PKG_CONFIG_PATH="$libraries/pkgconfig"
for source in "$root"/examples/*.cpp "$root"/examples/*.c; do
  case $source in
    *.cpp) compiler="c++ -std=c++20" ;;
    *) compiler="cc -std=c11" ;;
  esac
  boost=
  case $source in *boost*) boost=-lboost_iostreams ;; esac
  $compiler -Wall -Werror "$source" $(pkg-config --cflags --libs lmzip) $boost \
    -o "$work/example"
  case $source in
    *boost*)
      "$work/example" "$work/lines.lmz"
      "$work/usr/bin/lmzip" -t "$work/lines.lmz"
      ;;
    *read_part*) [ "$("$work/example" "$work/text.lmz" 5 4)" = text ] ;;
    *) round_trip "$work/example" ;;
  esac
done

mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
find_package(lmzip 0.1 REQUIRED)
add_executable(with_shared $root/examples/compress.cpp)
target_link_libraries(with_shared PRIVATE lmzip::lmzip)
add_executable(with_static $root/examples/compress.cpp)
target_link_libraries(with_static PRIVATE lmzip::static)
EOF
cmake -G Ninja -S "$work/project" -B "$work/project/build" -DCMAKE_PREFIX_PATH="$work/usr"
cmake --build "$work/project/build"
round_trip "$work/project/build/with_shared"
unset LD_LIBRARY_PATH
round_trip "$work/project/build/with_static"

command -v dpkg-shlibdeps >/dev/null || { echo "no dpkg-dev: packages not built"; exit 0; }
(cd "$work" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/packages" >cpack.log 2>&1) ||
  { cat "$work/cpack.log"; exit 1; }
for package in "$work"/packages/lmzip_*.deb; do
  depends=$(dpkg-deb -f "$package" Depends)
  echo "lmzip depends on: $depends"
  for library in libc6 libstdc++6 libdivsufsort3 libzstd1 libxxhash0 libnettle8 libtbb12; do
    case $depends in *"$library"*) ;; *) echo "$library is missing"; exit 1 ;; esac
  done
  dpkg-deb -c "$package" | grep -q ' ./usr/bin/lmzip$'
done
dpkg-deb -c "$work"/packages/liblmzip-dev_*.deb | grep -q 'usr/include/lmzip/compress.h$'
