// Decodes an archive with the decoding half of the library alone, on one thread: the program that
// is built for other processors. Usage: lmzip-decode-one ARCHIVE >PLAIN
// Ends with the exit status that lmzip has for the same fault.

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <span>

#include "lmzip/decompress.h"
#include "lmzip/error.h"
#include "lmzip/stream.h"

namespace {

using namespace lmzip;

class stream_source : public source {
 public:
  explicit stream_source(std::istream& from) : from_(from) {}

  std::size_t read(std::span<std::byte> out) override {
    from_.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
    if (from_.bad()) throw error(errc::io, "cannot read the archive");
    return static_cast<std::size_t>(from_.gcount());
  }

 private:
  std::istream& from_;
};

class stream_sink : public sink {
 public:
  explicit stream_sink(std::ostream& to) : to_(to) {}

  void write(std::span<const std::byte> data) override {
    to_.write(reinterpret_cast<const char*>(data.data()),
              static_cast<std::streamsize>(data.size()));
    if (!to_) throw error(errc::io, "cannot write the plain bytes");
  }

 private:
  std::ostream& to_;
};

int exit_status(errc code) {
  switch (code) {
    case errc::damaged:
    case errc::truncated:
    case errc::not_lmzip:
      return 4;
    case errc::unsupported:
    case errc::missing:
      return 6;
    default:
      return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: lmzip-decode-one ARCHIVE >PLAIN\n", stderr);
    return 1;
  }
  try {
    std::ifstream file(argv[1], std::ios::binary);
    if (!file) throw error(errc::io, "cannot open the archive");
    stream_source from(file);
    stream_sink to(std::cout);
    decompress(from, to);
    std::cout.flush();
    return std::cout ? 0 : 1;
  } catch (const error& fault) {
    std::fprintf(stderr, "lmzip: %s: %s\n", argv[1], fault.what());
    return exit_status(fault.code());
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "lmzip: %s: %s\n", argv[1], fault.what());
    return 1;
  }
}
