#pragma once

#include <cstddef>
#include <istream>
#include <ostream>
#include <span>

#include "lmzip/error.h"
#include "lmzip/stream.h"

namespace lmzip::test {

/// Reads a standard stream.
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

/// Writes a standard stream.
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

/// The exit status that the program has for such a fault.
inline int exit_status(errc code) {
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

}  // namespace lmzip::test
