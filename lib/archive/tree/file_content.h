#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "archive/tree/entry.h"
#include "lmzip/stream.h"

namespace lmzip::tree {

/// The data of a file that a walk found, without its holes. A file that became longer is read up to
/// the size that the entry says; one that became shorter ends early. An error of reading ends the
/// data too, and finish() tells: so that it is not taken for one of the archive's own.
class file_content final : public source {
 public:
  enum class outcome { as_listed, changed, failed };

  /// Both must outlive it.
  file_content(io::file& from, const entry& of);

  std::size_t read(std::span<std::byte> out) override;

  /// Call at the end of the data. Gives the entry the size of what was read, and says whether the
  /// file changed meanwhile (size or time of modification) or could not be read to its end.
  outcome finish(entry& of);

  /// The error for outcome::failed.
  const std::string& failure() const noexcept { return failure_; }

 private:
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out);

  io::file& from_;
  std::vector<data_range> ranges_;
  std::size_t range_ = 0;
  std::uint64_t done_ = 0;  ///< bytes of the present range
  bool ended_ = false;
  std::string failure_;
};

}  // namespace lmzip::tree
