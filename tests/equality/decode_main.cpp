// Decodes an archive with the decoding half of the library alone, on one thread: the program that
// is built for other processors. Usage: lmzip-decode-one [--base=FILE] ARCHIVE >PLAIN
// Ends with the exit status that lmzip has for the same fault.

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "equality/streams.h"
#include "lmzip/decompress.h"

using namespace lmzip;

int main(int argc, char** argv) {
  constexpr std::string_view base_option = "--base=";
  const bool has_base = argc == 3 && std::string_view(argv[1]).starts_with(base_option);
  if (argc != (has_base ? 3 : 2)) {
    std::fputs("usage: lmzip-decode-one [--base=FILE] ARCHIVE >PLAIN\n", stderr);
    return 1;
  }
  const char* const archive = argv[argc - 1];
  try {
    decompress_options options;
    if (has_base) options.base = open_base(std::vector<std::string>{argv[1] + base_option.size()});
    std::ifstream file(archive, std::ios::binary);
    if (!file) throw error(errc::io, "cannot open the archive");
    test::stream_source from(file);
    test::stream_sink to(std::cout);
    decompress(from, to, options);
    std::cout.flush();
    return std::cout ? 0 : 1;
  } catch (const error& fault) {
    std::fprintf(stderr, "lmzip: %s: %s\n", archive, fault.what());
    return test::exit_status(fault.code());
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "lmzip: %s: %s\n", archive, fault.what());
    return 1;
  }
}
