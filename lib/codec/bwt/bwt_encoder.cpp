#include <algorithm>
#include <cstring>
#include <memory>

#include "codec/bwt/bwt_block.h"
#include "codec/bwt/bwt_codec.h"
#include "codec/bwt/run_coder.h"
#include "codec/bwt/transform.h"
#include "core/io/zeroed_memory.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace bwt {
namespace {

// The buckets of libdivsufsort, and what is left of the small things.
constexpr std::uint64_t sorting_overhead = std::uint64_t{1} << 20;

// More text teaches nothing more (measured), but makes more lines known, which ship.
constexpr std::size_t training_block_bytes = std::size_t{256} << 10;
constexpr std::size_t training_blocks = 24;

std::span<const std::uint8_t> as_numbers(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

void append_place(std::vector<std::byte>& to, std::uint32_t place) {
  for (int shift = 0; shift < 24; shift += 8) to.push_back(static_cast<std::byte>(place >> shift));
}

/// Codes a block and leaves in `tables` what was learned.
std::vector<std::byte> encode_learning(std::span<const std::byte> plain, run_tables& tables) {
  const std::size_t size = plain.size();
  if (size == 0) return {};
  if (size > max_block_bytes) throw error(errc::internal, "a block is too large to be sorted");
  const io::zeroed_memory numbers(size * sizeof(std::int32_t));
  const io::zeroed_memory column(size);
  const std::span<std::uint8_t> last(reinterpret_cast<std::uint8_t*>(column.data()), size);
  const entry_places places = forward_transform(
      as_numbers(plain), {reinterpret_cast<std::int32_t*>(numbers.data()), size}, last);

  std::vector<std::byte> payload;
  append_place(payload, places.whole);
  const std::size_t segments = segmentation::of(size).count;
  for (std::size_t s = 0; s + 1 < segments; ++s) append_place(payload, places.after[s]);
  const auto runs = active_run_coder().encode(
      last, tables, {reinterpret_cast<std::uint32_t*>(numbers.data()), size});
  payload.insert(payload.end(), runs.begin(), runs.end());
  return payload;
}

class bwt_encoder final : public encoder {
 public:
  std::string_view name() const noexcept override { return "bwt"; }

  std::uint64_t memory(std::uint64_t plain_bytes) const override {
    return encoding_memory(plain_bytes);
  }

  std::uint64_t decoder_memory(std::uint64_t plain_bytes) const override {
    return decoding_memory(plain_bytes);
  }

  outlook estimate(std::span<const std::byte> sample) const override {
    return {encode_block(sample, shipped_run_tables()).size(), undecided};
  }

  encoded encode_as(std::span<const std::byte> plain, std::uint32_t) const override {
    return {{codec_id::bwt, 0, 0}, encode_block(plain, shipped_run_tables())};
  }
};

}  // namespace

std::uint64_t encoding_memory(std::uint64_t plain_bytes) noexcept {
  return sizeof(run_tables) + run_encoder_memory() + sorting_overhead +
         plain_bytes * (sizeof(std::int32_t) + 1);
}

std::vector<std::byte> encode_block(std::span<const std::byte> plain, const run_tables& start) {
  const io::zeroed_memory memory(sizeof(run_tables));
  auto* const tables = reinterpret_cast<run_tables*>(memory.data());
  std::memcpy(tables, &start, sizeof start);
  return encode_learning(plain, *tables);
}

std::vector<std::uint8_t> train_run_tables(std::span<const std::byte> text) {
  std::vector<std::byte> joined;
  joined.reserve(text.size());
  std::copy_if(text.begin(), text.end(), std::back_inserter(joined),
               [](std::byte b) { return b != std::byte{0}; });
  const std::size_t blocks = (joined.size() + training_block_bytes - 1) / training_block_bytes;
  const std::size_t stride = (blocks + training_blocks - 1) / training_blocks;
  const auto tables = std::make_unique<run_tables>();
  set_untrained(*tables);
  for (std::size_t block = 0; block < blocks; block += stride) {
    const auto rest = std::span<const std::byte>(joined).subspan(block * training_block_bytes);
    encode_learning(rest.first(std::min(rest.size(), training_block_bytes)), *tables);
  }
  return quantise(*tables);
}

}  // namespace bwt

std::unique_ptr<encoder> make_bwt_encoder() { return std::make_unique<bwt::bwt_encoder>(); }

}  // namespace lmzip::codec
