#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "lmzip/base.h"
#include "lmzip/model.h"
#include "lmzip/stream.h"

#pragma GCC visibility push(default)

namespace lmzip {

inline constexpr int min_level = 1;
inline constexpr int max_level = 9;
inline constexpr int default_level = 6;

/// Smallest and largest block: 4 KiB and 1 GiB of plain bytes.
inline constexpr std::uint64_t min_block_bytes = std::uint64_t{1} << 12;
inline constexpr std::uint64_t max_block_bytes = std::uint64_t{1} << 30;

/// Largest window, and the word for that of the level.
inline constexpr std::uint64_t max_window_bytes = std::uint64_t{1} << 40;
inline constexpr std::uint64_t window_of_level = ~std::uint64_t{0};

/// How hard to look for programs that make the tensors of a checkpoint: progressions, tables of
/// formulas, repeats, copies and casts of each other.
enum class tensor_search : std::uint8_t {
  by_level,  ///< none at levels 1 to 3, fast at 4 to 7, full at 8 and 9
  none,
  fast,
  full,
};

/// How far a running call has come.
struct progress {
  std::uint64_t plain_bytes = 0;  ///< uncompressed bytes done
  std::uint64_t coded_bytes = 0;  ///< archive bytes done
};

/// What a finished call did.
struct totals {
  std::uint64_t plain_bytes = 0;
  std::uint64_t coded_bytes = 0;
  std::uint64_t blocks = 0;
  std::uint64_t members = 0;
};

/// Settings of compress(). The archive depends on the input bytes and on level, model, base,
/// block_bytes, window, search, strong and name only: never on threads, memory limit, verify,
/// machine or time.
struct compress_options {
  int level = default_level;  ///< min_level .. max_level
  model_handle model{};       ///< for levels 8 and 9; nullptr: the one shipped for the level
  /// The file of that model, if the archive is to bring it along, so that it can be decoded where
  /// nobody has the model; the bytes must stay until compress() returns.
  std::span<const std::byte> model_file{};
  /// Checkpoints whose tensors those of the input may be coded against; then decoding needs them.
  base_handle base{};
  std::uint64_t block_bytes = 0;  ///< min_block_bytes .. max_block_bytes; 0: the level's default
  /// How far before a block it may refer to plain bytes that it repeats, 0 (never) to
  /// max_window_bytes; encoder and decoder keep as much. By default the level's, and 0 for blocks
  /// of less than 1 MiB. Inputs of one block have none.
  std::uint64_t window = window_of_level;
  tensor_search search = tensor_search::by_level;
  unsigned threads = 1;            ///< 0: one per core
  std::uint64_t memory_limit = 0;  ///< bytes; lowers the number of threads only; 0: no limit
  bool verify = false;             ///< decode each block and compare before it is written
  bool strong = false;             ///< store a SHA-256 of each block's plain bytes
  std::string name{};              ///< stored if not empty; bytes, no NUL
  std::function<void(const progress&)>
      on_progress{};       ///< called in order, from one thread at a time
  std::stop_token stop{};  ///< a request ends the call with error(canceled)
};

/// Memory that compress() needs for `threads` threads, in bytes.
std::uint64_t compress_memory(const compress_options& options, unsigned threads);

/// Compresses everything in `in` to one archive member on `out`.
/// Throws error: usage, io, memory_limit (one thread needs more than the limit), canceled.
totals compress(source& in, sink& out, const compress_options& options = {});

/// Compresses a byte string; the same archive as from a stream.
std::vector<std::byte> compress(std::span<const std::byte> plain,
                                const compress_options& options = {});

}  // namespace lmzip

#pragma GCC visibility pop
