#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/bwt/run_tables.h"

namespace lmzip::codec::bwt {

// A last column is coded as its runs of equal bytes. The decoder has a list of the bytes that are
// still to come, ordered by where they come next, so the first of it is the byte of the next run.
// It reads how long that is, then the rank at which the byte goes back into the list: the number of
// other bytes that come before it comes again, or never_again. That makes the list which the byte
// stands in, and the next byte, known before a length and a rank are coded (the idea of inversion
// ranks: Z. Arnavut, S. Magliveras, "Lexical permutation sorting algorithm", The Computer Journal
// 40, 1997; the mixed models of both are those of a "quantized local frequency coding" stage).

inline constexpr std::uint32_t never_again = 256;

/// The coder of last columns on an instruction set. All give equal results.
struct run_coder {
  /// Codes a last column of 1 … 2^24 bytes. `tables` are those to start from and are left as they
  /// are at the end. `runs` has a number a byte; what is in it is lost.
  std::vector<std::byte> (*encode)(std::span<const std::uint8_t> last, run_tables& tables,
                                   std::span<std::uint32_t> runs);

  /// Decodes what encode() coded from equal tables. Any input is safe; throws error(damaged).
  void (*decode)(std::span<const std::byte> coded, run_tables& tables,
                 std::span<std::uint8_t> last);
};

/// Memory that encode() takes besides its arguments and what it returns.
std::uint64_t run_encoder_memory() noexcept;

/// The coder on the active instruction set (core/cpu.h).
const run_coder& active_run_coder() noexcept;

namespace scalar {
extern const run_coder coder;
}
#if defined(__x86_64__)
namespace avx2 {
extern const run_coder coder;
}
#endif

}  // namespace lmzip::codec::bwt
