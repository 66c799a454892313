#pragma once

#include <cstddef>
#include <cstdint>

namespace lmzip::engine {

/// What the reader of an archive needs itself.
inline constexpr std::uint64_t reader_bytes = std::uint64_t{2} << 20;

/// Bytes that a run takes.
struct memory_need {
  std::uint64_t per_thread = 0;  ///< working memory of a codec
  std::uint64_t per_slot = 0;    ///< one block, plain and coded
  std::uint64_t fixed = 0;
};

/// How a run is spread.
struct thread_plan {
  unsigned threads = 1;
  std::size_t slots = 1;  ///< blocks in flight
};

/// Most threads that a run uses, whatever is asked for.
inline constexpr unsigned max_threads = 512;

/// What `threads` threads need with the blocks they keep in flight: one more than threads, so that
/// nobody waits for a reader or writer, but a single one for a single thread.
std::uint64_t memory_of(const memory_need& need, unsigned threads) noexcept;

/// As many threads as wanted (0: one per core) and as `limit` bytes allow (0: no limit).
/// Throws error(memory_limit), naming the bytes, if a single thread needs more.
thread_plan plan_threads(const memory_need& need, unsigned wanted, std::uint64_t limit);

}  // namespace lmzip::engine
