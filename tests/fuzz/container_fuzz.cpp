// Any bytes must give events or an lmzip::error: read strictly, over the payloads, salvaging, and
// from the end. The first byte says how many bytes a read of the source gives. Everything is tried
// as it is and with all checksums made right, so that what stands behind them is reached.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <variant>
#include <vector>

#include "core/endian.h"
#include "core/hash.h"
#include "formats/container/members.h"
#include "formats/container/reader.h"
#include "lmzip/error.h"

namespace {

using namespace lmzip::container;

class piecewise_source : public lmzip::source {
 public:
  piecewise_source(std::span<const std::byte> data, std::size_t step) : data_(data), step_(step) {}

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t count = std::min({out.size(), data_.size(), step_});
    if (count > 0) std::memcpy(out.data(), data_.data(), count);
    data_ = data_.subspan(count);
    return count;
  }

 private:
  std::span<const std::byte> data_;
  std::size_t step_;
};

/// Reads to the end and returns how many payload bytes were delivered. Salvage never throws.
std::uint64_t read(std::span<const std::byte> data, std::size_t step, reader_options options) {
  piecewise_source from(data, step);
  stream_reader reader(from, options);
  std::uint64_t delivered = 0;
  try {
    for (;;) {
      const event next = reader.next();
      if (const auto* found = std::get_if<block>(&next)) {
        if (found->header.plain_bytes == 0) std::abort();
        delivered += found->payload.size();
      }
      if (std::holds_alternative<end_of_archive>(next)) break;
    }
  } catch (const lmzip::error&) {
    if (options.resynchronise) std::abort();
  }
  return delivered;
}

void read_from_end(std::span<const std::byte> data) {
  const auto read_at = [data](std::uint64_t offset, std::span<std::byte> out) -> std::size_t {
    if (offset >= data.size()) return 0;
    const std::size_t count =
        std::min<std::size_t>(out.size(), data.size() - static_cast<std::size_t>(offset));
    std::memcpy(out.data(), data.data() + offset, count);
    return count;
  };
  try {
    for (const member_location& member : find_members(read_at, data.size()).members) {
      try {
        const auto places = read_index(read_at, member);
        try {
          read_model(read_at, member.header, places);
        } catch (const lmzip::error&) {
        }
        for (const block_location& place : places) {
          try {
            read_block(read_at, member.header, place, 0);
          } catch (const lmzip::error&) {
            // The other blocks are tried too.
          }
        }
      } catch (const lmzip::error&) {
      }
    }
  } catch (const lmzip::error&) {
  }
}

/// Stores the checksum of `size` bytes at `at` behind them, if there is room.
template <class Checksum>
void mend(std::span<std::byte> data, std::size_t at, std::size_t size) {
  if (at + size + sizeof(Checksum) > data.size()) return;
  const auto sum = static_cast<Checksum>(lmzip::xxh3_64(data.subspan(at, size)));
  lmzip::store_le(data.data() + at + size, sum);
}

void mend_structure(std::span<std::byte> data, std::size_t at) {
  const std::size_t left = data.size() - at;
  const auto type = std::to_integer<std::uint8_t>(data[at + 4]);
  if (type == static_cast<std::uint8_t>(block_type::trailer)) {
    mend<std::uint64_t>(data, at, 68);
  } else if (type == static_cast<std::uint8_t>(block_type::index)) {
    if (left < segment_fixed_bytes) return;
    const std::size_t entries = segment_entries(data.subspan(at));
    mend<std::uint64_t>(data, at, segment_fixed_bytes - 8 + entries * index_entry_bytes);
  } else {
    const std::size_t size = block_header_bytes + ((type & digest_flag) != 0 ? digest_bytes : 0);
    if (left < size) return;
    const std::size_t coded = lmzip::load_le<std::uint32_t>(data.data() + at + 40);
    if (coded <= left - size) {
      const std::uint64_t hash = lmzip::xxh3_64(data.subspan(at + size, coded));
      lmzip::store_le(data.data() + at + 24, hash);
      // Of a piece of a model readers check the plain bytes too, which these are.
      if ((type & type_mask) == static_cast<std::uint8_t>(block_type::model))
        lmzip::store_le(data.data() + at + 32, hash);
    }
    mend<std::uint32_t>(data, at, size - 4);
  }
}

/// Makes all checksums right but the SHA-256 of the trailer.
void mend_all(std::span<std::byte> data) {
  for (std::size_t at = 0; at + magic.size() <= data.size(); ++at) {
    const auto here = data.subspan(at);
    if (has_sync_word(here)) mend_structure(data, at);
    if (here.size() >= frozen_header_bytes &&
        std::equal(magic.begin(), magic.end(), here.begin())) {
      const std::size_t size = lmzip::load_le<std::uint16_t>(here.data() + 10);
      if (size >= min_header_bytes) mend<std::uint64_t>(data, at, size - 8);
    }
  }
}

void read_in_all_ways(std::span<const std::byte> data, std::size_t step) {
  const std::uint64_t strict = read(data, step, {});
  const std::uint64_t salvaged = read(data, step, {.resynchronise = true});
  if (salvaged < strict || salvaged > data.size()) std::abort();
  read(data, step, {.skip_payloads = true});
  read(data, step, {.skip_payloads = true, .resynchronise = true});
  read_from_end(data);
  contains_block_header(data);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t step = std::size_t{1} + bytes[0] * std::size_t{37};
  const auto data = std::as_bytes(std::span(bytes, size)).subspan(1);
  read_in_all_ways(data, step);
  std::vector<std::byte> mended(data.begin(), data.end());
  mend_all(mended);
  read_in_all_ways(mended, step);
  return 0;
}
