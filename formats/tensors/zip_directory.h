#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cursor.h"
#include "formats/tensors/input.h"
#include "formats/tensors/layout.h"

namespace lmzip::tensors {

/// One member of a zip archive (APPNOTE.TXT 6.3), by the central directory.
struct zip_member {
  std::string name;
  std::uint64_t header_offset = 0;  ///< of the local header
  std::uint64_t offset = 0;         ///< of the data in the archive
  std::uint64_t bytes = 0;          ///< of the data in the archive
  bool is_stored = false;           ///< the data stand there as they are: no method, no encryption
};

/// Sizes and offsets of 2^32 - 1 stand in an extra field, in this order, as far as needed. Throws
/// error(truncated).
void read_extra64(cursor extra, std::uint64_t& plain_bytes, zip_member& member);

/// Reads the directory at the end of a zip archive, with 64-bit sizes where there are some, and the
/// local header of each member. Members are returned by offset; none overlaps another one or the
/// directory. Throws error(damaged) if they do, if directory and local headers do not fit, and if
/// anything stands outside the input. Reads at most `limits.header_bytes` of directory.
std::vector<zip_member> read_zip_directory(const random_input& in, const read_limits& limits = {});

}  // namespace lmzip::tensors
