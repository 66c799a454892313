#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/lmzip/messages.h"

namespace lmzip::app {

/// What `lmzip tune` measures: pieces of the files, joined in the order of the files.
struct tune_sample {
  std::vector<std::byte> bytes;
  std::uint64_t files = 0;        ///< that could be read
  std::uint64_t plain_bytes = 0;  ///< of all files; of what has no size only what was read
};

/// Takes the files whole if they have up to `most` bytes together, else whole pieces of 1 MiB at
/// equal distances over all of them (a single shorter piece if `most` is less). Directories are
/// gone into; archives found there are left alone. Of standard input, and of pipes and devices, the
/// first `most` bytes are taken for all they have. What cannot be read is reported to `out`.
/// Throws error(canceled).
tune_sample take_sample(const std::vector<std::string>& files, std::uint64_t most, messages& out);

}  // namespace lmzip::app
