// Any bytes must give events or an lmzip::error: read strictly, over the payloads, salvaging, and
// from the end. The first byte says how many bytes a read of the source gives.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <variant>

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
        read_index(read_at, member);
      } catch (const lmzip::error&) {
      }
    }
  } catch (const lmzip::error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t step = std::size_t{1} + bytes[0] * std::size_t{37};
  const auto data = std::as_bytes(std::span(bytes, size)).subspan(1);
  const std::uint64_t strict = read(data, step, {});
  const std::uint64_t salvaged = read(data, step, {.resynchronise = true});
  if (salvaged < strict || salvaged > data.size()) std::abort();
  read(data, step, {.skip_payloads = true});
  read(data, step, {.skip_payloads = true, .resynchronise = true});
  read_from_end(data);
  contains_block_header(data);
  return 0;
}
