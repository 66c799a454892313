#include <divsufsort.h>

#include "codec/bwt/transform.h"
#include "lmzip/error.h"

namespace lmzip::codec::bwt {

entry_places forward_transform(std::span<const std::uint8_t> block, std::span<std::int32_t> work,
                               std::span<std::uint8_t> last) {
  static_assert(sizeof(saidx_t) == sizeof(std::int32_t));
  const auto size = static_cast<std::int32_t>(block.size());
  if (divsufsort(block.data(), work.data(), size) != 0)
    throw error(errc::internal, "the suffixes of a block cannot be sorted");
  const segmentation cut = segmentation::of(block.size());
  entry_places places;
  std::uint8_t* next = last.data();
  *next++ = block.back();
  for (std::int32_t place = 0; place < size; ++place) {
    const auto start = static_cast<std::uint32_t>(work[static_cast<std::size_t>(place)]);
    // Segments start at multiples of the unit, if at all: seldom more than one test a suffix.
    if (start % segmentation::unit == 0) {
      if (start == 0) {
        places.whole = static_cast<std::uint32_t>(place);
        continue;
      }
      const std::size_t segment = start / cut.bytes;
      if (segment < cut.count && start % cut.bytes == 0)
        places.after[segment - 1] = static_cast<std::uint32_t>(place);
    }
    *next++ = block[start - 1];
  }
  return places;
}

}  // namespace lmzip::codec::bwt
