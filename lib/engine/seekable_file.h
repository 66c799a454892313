#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/io/file.h"
#include "lmzip/seekable_source.h"

namespace lmzip::engine {

/// A regular file, which stays open. Throws error(io) for other files, which have no positions.
class seekable_file final : public seekable_source {
 public:
  explicit seekable_file(const std::string& path) : file_(io::file::open_for_reading(path, true)) {
    const io::file_status status = file_.status();
    if (status.kind != io::file_kind::regular)
      throw io::file_error::with_text(path, "is not a regular file: it has no positions");
    size_ = status.bytes;
  }

  std::uint64_t size() override { return size_; }

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    return file_.read_at(offset, out);
  }

 private:
  io::file file_;
  std::uint64_t size_ = 0;
};

}  // namespace lmzip::engine
