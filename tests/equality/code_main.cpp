// The part of lmzip's command line that same.sh and check.py use, on the shared library, so that
// builds of the library by other compilers can be put under one program:
//   lmzip-code -c -LEVEL [--strong] [--block-size=NKiB] FILE >ARCHIVE
//   lmzip-code [--base=FILE] ARCHIVE >PLAIN

#include <charconv>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "equality/streams.h"
#include "lmzip/compress.h"
#include "lmzip/decompress.h"

using namespace lmzip;

namespace {

template <typename Number>
Number parse(std::string_view text) {
  Number value{};
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc{}) throw error(errc::usage, "not a number");
  return value;
}

// Whether to compress; sets what the option says.
bool take_option(std::string_view option, compress_options& options) {
  constexpr std::string_view block_size = "--block-size=", base = "--base=";
  if (option.starts_with(base)) {
    options.base = open_base(std::vector<std::string>{std::string(option.substr(base.size()))});
    return false;
  }
  if (option.starts_with(block_size))
    options.block_bytes = parse<std::uint64_t>(option.substr(block_size.size())) << 10;
  else if (option == "--strong")
    options.strong = true;
  else if (option != "-c")
    options.level = parse<int>(option.substr(1));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    compress_options options;
    bool compressing = false;
    for (int i = 1; i + 1 < argc; ++i) compressing |= take_option(argv[i], options);
    decompress_options decoding;
    decoding.base = options.base;
    std::ifstream file(argv[argc - 1], std::ios::binary);
    if (argc < 2 || !file) throw error(errc::io, "cannot open the file");
    test::stream_source from(file);
    test::stream_sink to(std::cout);
    if (compressing)
      compress(from, to, options);
    else
      decompress(from, to, decoding);
    std::cout.flush();
    return std::cout ? 0 : 1;
  } catch (const error& fault) {
    std::fprintf(stderr, "lmzip-code: %s\n", fault.what());
    return test::exit_status(fault.code());
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "lmzip-code: %s\n", fault.what());
    return 1;
  }
}
