#pragma once

#include <cstddef>
#include <cstdint>

#include "archive/tree/entry.h"
#include "lmzip/stream.h"

namespace lmzip::tree {

/// Writes the data of a file, which come without its holes, to where they belong in a new file, and
/// leaves the holes.
class data_sink final : public sink {
 public:
  /// Both must outlive it; `to` is empty.
  data_sink(io::file& to, const entry& of);

  /// Throws error(damaged) for more data than the entry has.
  void write(std::span<const std::byte> data) override;

  /// Gives the file its length. Throws error(damaged) if there were too few data.
  void finish();

 private:
  data_range range(std::size_t number) const;

  io::file& to_;
  const entry& of_;
  std::size_t ranges_;
  std::size_t range_ = 0;
  std::uint64_t done_ = 0;      ///< bytes of the present range
  std::uint64_t position_ = 0;  ///< in the file
};

}  // namespace lmzip::tree
