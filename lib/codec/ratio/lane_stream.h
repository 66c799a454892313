#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "core/cursor.h"
#include "core/endian.h"
#include "entropy/lane_rans.h"
#include "lmzip/error.h"

namespace lmzip::codec::ratio {

/// Elements are worked on in blocks that stay in the processor's first cache.
inline constexpr std::size_t block_elements = 4096;

/// What a lane_rans stream needs besides its model: 4 bits of a payload's header.
struct lane_setup {
  unsigned lanes;
  unsigned precision;

  std::uint8_t code() const noexcept {
    unsigned log2_units = 0;
    while (lane_unit << log2_units < lanes) ++log2_units;
    return static_cast<std::uint8_t>(log2_units | (precision - lane_rans_model::min_precision)
                                                      << 2);
  }
  static lane_setup of_code(unsigned code) noexcept {
    return {lane_unit << (code & 3), lane_rans_model::min_precision + (code >> 2 & 3)};
  }
};

/// The number of lanes for so many elements: their states cost 4 bytes each.
constexpr unsigned lanes_for(std::size_t elements) noexcept {
  if (elements < std::size_t{1} << 16) return 16;
  return elements < std::size_t{1} << 18 ? 32 : max_lanes;
}

/// A block's arrays, with room to the next multiple of 64 elements.
struct block_arrays {
  alignas(64) std::uint8_t symbols[block_elements];
  alignas(64) std::uint8_t contexts[block_elements];
  alignas(64) std::uint16_t raw[block_elements];
};

/// The words of a stream as they grow to the front of a buffer.
class lane_writer {
 public:
  /// For a stream of at most about `limit` bytes.
  lane_writer(const lane_rans_model& model, raw_bits_of_symbols raw_bits, unsigned lanes,
              std::size_t limit)
      : table_(model, raw_bits),
        size_(limit + lane_rans_encoder::room_for(block_elements)),
        room_(std::make_unique_for_overwrite<std::byte[]>(size_)),
        coder_(table_, lanes, {room_.get(), size_}) {}
  lane_writer(const lane_writer&) = delete;
  lane_writer& operator=(const lane_writer&) = delete;

  /// Codes the block before what is coded. False where the limit is reached.
  bool prepend(const lane_elements& elements, std::size_t count) noexcept {
    if (coder_.room() < lane_rans_encoder::room_for(block_elements)) return false;
    coder_.prepend(elements, count);
    return true;
  }

  std::size_t words_bytes() const noexcept { return coder_.words().size(); }
  void append_states_to(std::vector<std::byte>& bytes) const {
    for (const std::uint32_t state : coder_.states()) append_le(bytes, state);
  }
  void append_words_to(std::vector<std::byte>& bytes) const {
    bytes.insert(bytes.end(), coder_.words().begin(), coder_.words().end());
  }

  template <class T>
  static void append_le(std::vector<std::byte>& bytes, T value) {
    const std::size_t size = bytes.size();
    bytes.resize(size + sizeof(T));
    store_le(&bytes[size], value);
  }

 private:
  lane_encode_table table_;
  std::size_t size_;
  std::unique_ptr<std::byte[]> room_;
  lane_rans_encoder coder_;
};

/// The numbers that stand for escapes, in a decoder. `T` is their type.
template <class T>
class escape_list {
 public:
  explicit escape_list(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  T next() {
    if (bytes_.size() < sizeof(T)) throw error(errc::damaged, "an escape has no number");
    const T value = load_le<T>(bytes_.data());
    bytes_ = bytes_.subspan(sizeof(T));
    return value;
  }
  bool empty() const noexcept { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

/// Calls `visit(i)` for each of the first `count` symbols that is `wanted`, from the last one.
template <class Visit>
void for_each_backwards(const std::uint8_t* symbols, std::size_t count, std::uint8_t wanted,
                        Visit visit) {
  constexpr std::size_t run = 64;  // few of which hold one
  while (count > 0) {
    const std::size_t start = (count - 1) / run * run;
    if (std::memchr(symbols + start, wanted, count - start) != nullptr)
      for (std::size_t i = count; i-- > start;)
        if (symbols[i] == wanted) visit(i);
    count = start;
  }
}

/// The same from the first one.
template <class Visit>
void for_each_forwards(const std::uint8_t* symbols, std::size_t count, std::uint8_t wanted,
                       Visit visit) {
  const std::uint8_t* const end = symbols + count;
  for (const std::uint8_t* at = symbols; at != end; ++at) {
    at = static_cast<const std::uint8_t*>(
        std::memchr(at, wanted, static_cast<std::size_t>(end - at)));
    if (at == nullptr) return;
    visit(static_cast<std::size_t>(at - symbols));
  }
}

}  // namespace lmzip::codec::ratio
