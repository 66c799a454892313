#include "codec/lmc/lmc_encoder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>

#include "codec/lmc/lmc.h"
#include "codec/lmc/lmc_chunk.h"
#include "codec/lmc/planes.h"
#include "core/endian.h"
#include "entropy/lane_huffman.h"

namespace lmzip::codec {
namespace lmc {
namespace {

// Upper bound of what stands before the raw lists of a plane.
constexpr std::size_t most_head_bytes = 1 + 8 + 1 + 2 * lane_code::max_values +
                                        (lane_code::max_values + 2) / 2 +
                                        many_lanes * lane_state_bytes;
constexpr std::size_t most_planes = 8;

// Larger chunks are sampled: this many runs of numbers, spread evenly.
constexpr std::size_t sampled_runs = 128;
constexpr std::size_t run_numbers = 128;

std::uint8_t* values(std::byte* bytes) { return reinterpret_cast<std::uint8_t*>(bytes); }

// A chunk of numbers to code.
struct chunk {
  const layout& shape;
  std::size_t count;
  const std::uint8_t* plain;

  const std::uint8_t* at(std::size_t number) const {
    return plain + number / shape.unit_numbers * shape.unit_bytes;
  }
  std::size_t bytes() const { return count / shape.unit_numbers * shape.unit_bytes; }
};

using symbol_buffer = std::array<std::uint8_t, batch_numbers>;

// The last numbers first, in short pieces: batches are coded from the last one to the first, and a
// processor fetches ahead for what runs in one direction.
void split(const plane& part, const chunk& from, std::size_t first, std::size_t count,
           std::uint8_t* symbols, std::uint8_t* bytes, std::uint8_t* bits) {
  constexpr std::size_t piece = 64;
  const split_function split_piece = find_split(part.kind);
  for (std::size_t end = count; end > 0;) {
    const std::size_t begin = (end - 1) / piece * piece;
    split_piece(part, from.at(first + begin), symbols + begin,
                bytes + part.bytes_size(first + begin), bits + part.bits_size(first + begin),
                end - begin);
    end = begin;
  }
}

// Counts of the symbols of a plane.
struct symbol_counts {
  byte_counts counts{};
  std::size_t total = 0;
  bool complete = false;  // of all numbers

  symbol_counts(const plane& part, const chunk& from) {
    complete = from.count < many_lanes_from;
    if (complete) {
      for (std::size_t first = 0; first < from.count; first += batch_numbers)
        add(part, from, first, std::min(batch_numbers, from.count - first));
      return;
    }
    // An odd step, so that it does not stay in the same columns of a matrix.
    const std::size_t runs = from.count / run_numbers;
    const std::size_t step = runs / sampled_runs | 1;
    for (std::size_t run = 0; run < runs; run += step)
      add(part, from, run * run_numbers, run_numbers);
  }

  bool is_constant() const {
    return std::any_of(counts.begin(), counts.end(), [&](auto count) { return count == total; });
  }

 private:
  void add(const plane& part, const chunk& from, std::size_t first, std::size_t count) {
    symbol_buffer symbols;
    std::array<std::uint8_t, batch_numbers * 6> bytes;
    std::array<std::uint8_t, batch_numbers> bits;
    find_split(part.kind)(part, from.at(first), symbols.data(), bytes.data(), bits.data(), count);
    for (std::size_t i = 0; i < count; ++i) ++counts[symbols[i]];
    total += count;
  }
};

// The code for a plane, if coding it saves anything worth its time.
std::optional<lane_code> choose_code(const plane& part, const symbol_counts& found) {
  const lane_code shorter(found.counts, 7, found.complete);
  const std::uint64_t cost = shorter.cost(found.counts);
  const auto pays = [&](std::uint64_t bits) {
    return bits * 20 <= found.total * (part.symbol_bits * 20u - 1);
  };
  // Codes of 8 bits cost a fifth of the speed where tables are vector registers, and where whole
  // bytes are kept they never gain a three hundredth of the size.
  if (part.raw_bytes == 0) {
    const lane_code longer(found.counts, 8, found.complete);
    const std::uint64_t raw = found.total * part.raw_bits;
    const std::uint64_t longer_cost = longer.cost(found.counts);
    if ((raw + longer_cost) * 1000 < (raw + cost) * 997 && pays(longer_cost)) return longer;
  }
  if (!pays(cost)) return std::nullopt;
  return shorter;
}

// About the bytes that the plane takes.
std::size_t estimate_plane(const plane& part, const chunk& from) {
  const symbol_counts found(part, from);
  const std::size_t raw = part.bytes_size(from.count) + part.bits_size(from.count);
  if (found.is_constant()) return 2 + raw;
  const auto code = choose_code(part, found);
  if (!code) return 1 + from.count + raw;
  std::vector<std::byte> written;
  code->write(written);
  const unsigned lanes = from.count < many_lanes_from ? few_lanes : many_lanes;
  // Lanes end with two bytes of zeros.
  return 5 + written.size() + lanes * (lane_state_bytes + 2) + raw +
         static_cast<std::size_t>(code->cost(found.counts) * from.count / found.total / 8);
}

class chunk_encoder {
 public:
  explicit chunk_encoder(std::size_t numbers)
      : words_size_(numbers + group_values(many_lanes) + lane_encoder::slack),
        escapes_size_(numbers + group_values(many_lanes) + lane_encoder::slack),
        words_(std::make_unique_for_overwrite<std::byte[]>(words_size_)),
        escapes_(std::make_unique_for_overwrite<std::byte[]>(escapes_size_)) {}

  static std::uint64_t memory(std::uint64_t numbers) {
    return 2 * numbers + (std::uint64_t{1} << 16);
  }

  // Writes the chunk and returns its size, at most 1 more than its plain bytes.
  std::size_t encode(const chunk& from, std::byte* out) {
    std::size_t size = 0;
    bool worthwhile = false;
    for (const plane& part : from.shape.planes)
      size += encode_plane(part, from, out + size, worthwhile);
    if (worthwhile && size <= from.bytes()) return size;
    out[0] = static_cast<std::byte>(plane_mode::plain);
    std::memcpy(out + 1, from.plain, from.bytes());
    return 1 + from.bytes();
  }

 private:
  // Sets `worthwhile` if the plane takes less than its symbols do.
  std::size_t encode_plane(const plane& part, const chunk& from, std::byte* out, bool& worthwhile) {
    const symbol_counts found(part, from);
    if (found.is_constant()) {
      const std::size_t size = encode_constant(part, from, out);
      if (size != 0) {
        worthwhile = true;
        return size;
      }
    }
    if (const auto code = choose_code(part, found)) {
      worthwhile = true;
      return encode_coded(part, from, *code, out);
    }
    if (from.shape.planes.size() == 1) return 0;
    return encode_symbols(part, from, out);
  }

  // 0 if the symbols are not constant.
  std::size_t encode_constant(const plane& part, const chunk& from, std::byte* out) {
    symbol_buffer symbols;
    std::uint8_t* const bytes = values(out) + 2;
    std::uint8_t* const bits = bytes + part.bytes_size(from.count);
    for (std::size_t first = 0; first < from.count; first += batch_numbers) {
      const std::size_t count = std::min(batch_numbers, from.count - first);
      split(part, from, first, count, symbols.data(), bytes, bits);
      if (first == 0) out[1] = static_cast<std::byte>(symbols[0]);
      const auto expected = std::to_integer<std::uint8_t>(out[1]);
      if (std::count(symbols.begin(), symbols.begin() + static_cast<std::ptrdiff_t>(count),
                     expected) != static_cast<std::ptrdiff_t>(count))
        return 0;
    }
    out[0] = static_cast<std::byte>(plane_mode::constant);
    return 2 + part.bytes_size(from.count) + part.bits_size(from.count);
  }

  std::size_t encode_symbols(const plane& part, const chunk& from, std::byte* out) {
    out[0] = static_cast<std::byte>(plane_mode::symbols);
    std::uint8_t* const symbols = values(out) + 1;
    std::uint8_t* const bytes = symbols + from.count;
    std::uint8_t* const bits = bytes + part.bytes_size(from.count);
    for (std::size_t first = 0; first < from.count; first += batch_numbers)
      split(part, from, first, std::min(batch_numbers, from.count - first), symbols + first, bytes,
            bits);
    return 1 + from.count + part.bytes_size(from.count) + part.bits_size(from.count);
  }

  std::size_t encode_coded(const plane& part, const chunk& from, const lane_code& code,
                           std::byte* out) {
    const unsigned lanes = from.count < many_lanes_from ? few_lanes : many_lanes;
    head_.assign(lanes == many_lanes ? 9 : 5, std::byte{0});
    code.write(head_);
    std::byte* const states_at = out + head_.size();
    std::uint8_t* const bytes = values(states_at) + lanes * lane_state_bytes;
    std::uint8_t* const bits = bytes + part.bytes_size(from.count);

    const lane_encoding_tables tables(code);
    lane_encoder encoder(tables, lanes, {words_.get(), words_size_},
                         {escapes_.get(), escapes_size_});
    alignas(64) symbol_buffer symbols;
    const std::size_t group = group_values(lanes);
    const std::uint8_t padding = code.cheapest();
    for (std::size_t end = from.count; end > 0;) {
      const std::size_t first = (end - 1) / batch_numbers * batch_numbers;
      split(part, from, first, end - first, symbols.data(), bytes, bits);
      const std::size_t padded = (end - first + group - 1) / group * group;
      std::fill(symbols.begin() + static_cast<std::ptrdiff_t>(end - first),
                symbols.begin() + static_cast<std::ptrdiff_t>(padded), padding);
      encoder.encode(std::span(symbols).first(padded));
      end = first;
    }
    const lane_states& states = encoder.states();
    for (unsigned lane = 0; lane < lanes; ++lane)
      store_le(states_at + lane * lane_state_bytes,
               states.bits[lane] | std::uint32_t{1} << (16 + states.extra[lane]));
    const auto words = encoder.words();
    const auto escapes = encoder.escapes();
    finish_head(lanes, code.limit(), escapes.size(), words.size() / 2);
    std::copy(head_.begin(), head_.end(), out);
    auto* end = reinterpret_cast<std::byte*>(bits + part.bits_size(from.count));
    end = std::copy(escapes.begin(), escapes.end(), end);
    end = std::copy(words.begin(), words.end(), end);
    return static_cast<std::size_t>(end - out);
  }

  void finish_head(unsigned lanes, unsigned limit, std::size_t escapes, std::size_t words) {
    const auto mode = lanes == many_lanes ? plane_mode::many : plane_mode::few;
    head_[0] = static_cast<std::byte>(static_cast<unsigned>(mode) | (limit == 8 ? long_codes : 0u));
    if (lanes == many_lanes) {
      store_le(&head_[1], static_cast<std::uint32_t>(escapes));
      store_le(&head_[5], static_cast<std::uint32_t>(words));
    } else {
      store_le(&head_[1], static_cast<std::uint16_t>(escapes));
      store_le(&head_[3], static_cast<std::uint16_t>(words));
    }
  }

  std::size_t words_size_;
  std::size_t escapes_size_;
  std::unique_ptr<std::byte[]> words_;
  std::unique_ptr<std::byte[]> escapes_;
  std::vector<std::byte> head_;
};

// Calls `use` with each chunk of whole units; returns the bytes of all.
template <typename Use>
std::size_t for_chunks(dtype type, std::span<const std::byte> plain, Use&& use) {
  const layout& shape = layout_of(type);
  std::size_t units = plain.size() / shape.unit_bytes;
  std::size_t done = 0;
  while (units > 0) {
    const std::size_t taken = std::min(units, chunk_numbers / shape.unit_numbers);
    use(chunk{shape, taken * shape.unit_numbers,
              reinterpret_cast<const std::uint8_t*>(plain.data()) + done});
    done += taken * shape.unit_bytes;
    units -= taken;
  }
  return done;
}

std::size_t most_chunk_numbers(dtype type, std::size_t plain_bytes) {
  const layout& shape = layout_of(type);
  return std::min(chunk_numbers, plain_bytes / shape.unit_bytes * shape.unit_numbers);
}

}  // namespace

std::size_t encoded_bound(std::size_t plain_bytes) noexcept {
  // No chunk is larger than its plain bytes and one; while it is made, planes that do not pay may
  // take up to twice the room, words and escapes of a symbol three bytes.
  return plain_bytes + plain_bytes / chunk_numbers + 2 +
         std::min(plain_bytes, 2 * chunk_numbers) * 4 + most_planes * most_head_bytes;
}

std::uint64_t encoding_memory(std::size_t plain_bytes) noexcept {
  return chunk_encoder::memory(std::min(2 * plain_bytes, chunk_numbers));
}

std::size_t encode_into(dtype type, std::span<const std::byte> plain, std::span<std::byte> coded) {
  chunk_encoder encoder(most_chunk_numbers(type, plain.size()));
  std::size_t size = 0;
  const std::size_t done = for_chunks(
      type, plain, [&](const chunk& one) { size += encoder.encode(one, coded.data() + size); });
  const auto tail = plain.subspan(done);
  std::copy(tail.begin(), tail.end(), coded.data() + size);
  return size + tail.size();
}

std::vector<std::byte> encode(dtype type, std::span<const std::byte> plain) {
  const std::size_t bound = encoded_bound(plain.size());
  const auto room = std::make_unique_for_overwrite<std::byte[]>(bound);
  const std::size_t size = encode_into(type, plain, {room.get(), bound});
  return {room.get(), room.get() + size};
}

std::size_t estimate(dtype type, std::span<const std::byte> sample) {
  std::size_t size = 0;
  const std::size_t done = for_chunks(type, sample, [&](const chunk& one) {
    std::size_t planes = 0;
    for (const plane& part : one.shape.planes) planes += estimate_plane(part, one);
    size += std::min(planes, 1 + one.bytes());
  });
  return size + sample.size() - done;
}

namespace {

class lmc_encoder final : public encoder {
 public:
  explicit lmc_encoder(dtype type) : type_(type) {}

  std::string_view name() const noexcept override { return "lmc"; }

  std::uint64_t memory(std::uint64_t plain_bytes) const override {
    const auto bytes = static_cast<std::size_t>(plain_bytes);
    return encoding_memory(bytes) + encoded_bound(bytes);
  }

  std::uint64_t decoder_memory(std::uint64_t) const override { return decoding_memory; }

  outlook estimate(std::span<const std::byte> sample) const override {
    return {lmc::estimate(type_, sample), undecided};
  }

  encoded encode_as(std::span<const std::byte> plain, std::uint32_t) const override {
    return {{codec_id::lmc, 0, static_cast<std::uint32_t>(type_)}, lmc::encode(type_, plain)};
  }

 private:
  dtype type_;
};

}  // namespace
}  // namespace lmc

std::unique_ptr<encoder> make_lmc_encoder(dtype type) {
  return std::make_unique<lmc::lmc_encoder>(type);
}

}  // namespace lmzip::codec
