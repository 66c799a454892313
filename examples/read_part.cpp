// Prints a part of an archive without decoding the rest, through the C++ interface:
//   g++ -std=c++20 read_part.cpp $(pkg-config --cflags --libs lmzip) -o read_part
//   ./read_part shop.sql.lmz 1000000 200
// Make archives for this with small blocks (lmzip --block-size=64KiB): a whole block is decoded
// for each byte that is wanted of it.

#include <lmzip/archive_reader.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: read_part ARCHIVE OFFSET LENGTH\n");
    return 1;
  }
  try {
    lmzip::archive_reader archive(argv[1]);
    const auto part =
        archive.read(std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10));
    std::fwrite(part.data(), 1, part.size(), stdout);
    std::fprintf(stderr, "%zu of %llu bytes\n", part.size(),
                 static_cast<unsigned long long>(archive.size()));
    return std::fflush(stdout) == 0 ? 0 : 1;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "read_part: %s\n", failure.what());
    return 1;
  }
}
