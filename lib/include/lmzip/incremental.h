#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "lmzip/compress.h"
#include "lmzip/decompress.h"

#pragma GCC visibility push(default)

namespace lmzip {

/// compress() or decompress() turned inside out, for callers that are handed their data piece by
/// piece: event loops, filters, other languages. It gives the same bytes and needs the same memory
/// as the function; a thread of its own runs that function. Not thread-safe.
class incremental {
 public:
  explicit incremental(const compress_options& options);
  explicit incremental(const decompress_options& options);

  /// Gives up what is not finished.
  ~incremental();

  incremental(incremental&&) noexcept;
  incremental& operator=(incremental&&) noexcept;

  /// How far a call of run() got.
  struct step {
    std::size_t consumed = 0;  ///< bytes taken from `in`
    std::size_t produced = 0;  ///< bytes written to `out`
    bool finished = false;     ///< everything has been produced
  };

  /// Takes bytes from `in` and writes bytes to `out`. Returns once `in` is used up (`last` false)
  /// or everything has been produced (`last` true), or earlier if `out` is full. `last` says that
  /// nothing follows `in`; call again with the rest, and `last`, until `finished`.
  ///
  /// Throws what the function throws, again on each further call; what was produced until then is
  /// valid. Output may come several calls after its input.
  step run(std::span<const std::byte> in, std::span<std::byte> out, bool last);

 private:
  class exchange;
  std::unique_ptr<exchange> exchange_;
};

}  // namespace lmzip

#pragma GCC visibility pop
