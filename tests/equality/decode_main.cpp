// Decodes an archive with the decoding half of the library alone, on one thread: the program that
// is built for other processors. Usage: lmzip-decode-one ARCHIVE >PLAIN
// Ends with the exit status that lmzip has for the same fault.

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>

#include "equality/streams.h"
#include "lmzip/decompress.h"

using namespace lmzip;

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: lmzip-decode-one ARCHIVE >PLAIN\n", stderr);
    return 1;
  }
  try {
    std::ifstream file(argv[1], std::ios::binary);
    if (!file) throw error(errc::io, "cannot open the archive");
    test::stream_source from(file);
    test::stream_sink to(std::cout);
    decompress(from, to);
    std::cout.flush();
    return std::cout ? 0 : 1;
  } catch (const error& fault) {
    std::fprintf(stderr, "lmzip: %s: %s\n", argv[1], fault.what());
    return test::exit_status(fault.code());
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "lmzip: %s: %s\n", argv[1], fault.what());
    return 1;
  }
}
