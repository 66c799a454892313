#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "lmzip/base.h"
#include "lmzip/compress.h"
#include "lmzip/error.h"
#include "lmzip/model.h"
#include "lmzip/stream.h"

#pragma GCC visibility push(default)

namespace lmzip {

/// A part of an archive that could not be decoded.
struct damage {
  errc code = errc::damaged;
  std::string text;                ///< one line, no full stop
  std::uint64_t offset = 0;        ///< in the archive
  std::uint64_t plain_offset = 0;  ///< where the lost bytes belong in the output
  std::uint64_t plain_bytes = 0;   ///< how many are lost; 0 if unknown
};

/// Settings of decompress().
struct decompress_options {
  unsigned threads = 1;            ///< 0: one per core
  std::uint64_t memory_limit = 0;  ///< bytes; lowers the number of threads first; 0: no limit
  std::uint64_t output_limit = 0;  ///< error(memory_limit) past so many plain bytes; 0: none
  /// If set, damage does not end the call: it is reported here, the lost bytes are written as
  /// zeros where their number is known, and decoding goes on at the next intact block.
  std::function<void(const damage&)> on_damage{};
  /// Asked for models that are not part of this build, perhaps more than once and from another
  /// thread than the caller's, but by one at a time; what it throws ends the call.
  model_finder find_model{};
  /// What archives that were made against a base need; without it error(missing) is thrown before
  /// anything is written, unless on_damage is set.
  base_handle base{};
  /// Decodes members that hold a tree too, whose plain bytes are parts of files in no order of use:
  /// for tests of archives. Without it they are error(usage).
  bool trees = false;
  std::function<void(const progress&)> on_progress{};
  std::stop_token stop{};
};

/// Decodes all members of the archive `in` to `out`. Bytes reach `out` only after the checksums of
/// their block have been checked. Trailing zero bytes are accepted; any other trailing data is
/// error(damaged) after all valid data has been written.
/// Throws error: io, damaged, truncated, not_lmzip, memory_limit, unsupported, missing, usage (a
/// member holds a tree), canceled.
totals decompress(source& in, sink& out, const decompress_options& options = {});

/// Decodes an archive held in memory. `options.output_limit` guards against bombs.
std::vector<std::byte> decompress(std::span<const std::byte> archive,
                                  const decompress_options& options = {});

}  // namespace lmzip

#pragma GCC visibility pop
