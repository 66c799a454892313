#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#pragma GCC visibility push(default)

namespace lmzip {

/// What went wrong, in terms a caller can act on. The values are part of the library's interface
/// and equal those of the C header; the program maps them to its exit codes.
enum class errc : int {
  usage = 1,         ///< the caller asked for something that does not make sense
  io = 2,            ///< reading, writing or replacing a file failed
  damaged = 3,       ///< the archive's bytes contradict themselves
  truncated = 4,     ///< the archive ends before its end
  not_lmzip = 5,     ///< the bytes are not in lmzip format at all
  memory_limit = 6,  ///< the work needs more memory than the limit allows
  unsupported = 7,   ///< valid, but made with a newer format, codec or codec data
  missing = 8,       ///< valid, but needs a model or a base that is not there
  busy = 9,          ///< the archive is locked by somebody else
  canceled = 10,     ///< the caller asked to stop
  internal = 11,     ///< a bug in lmzip: please report it
};

/// The one exception type of the library, thrown at the granularity of a block or a file.
class error : public std::runtime_error {
 public:
  static constexpr std::uint64_t no_offset = ~std::uint64_t{0};

  error(errc code, const std::string& text, std::uint64_t offset = no_offset)
      : std::runtime_error(text), code_(code), offset_(offset) {}

  errc code() const noexcept { return code_; }

  /// Position in the compressed file where the fault was seen, or no_offset.
  std::uint64_t offset() const noexcept { return offset_; }

 private:
  errc code_;
  std::uint64_t offset_;
};

}  // namespace lmzip

#pragma GCC visibility pop
