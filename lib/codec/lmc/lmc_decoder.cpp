#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "codec/lmc/lmc.h"
#include "codec/lmc/lmc_chunk.h"
#include "codec/lmc/planes.h"
#include "core/cursor.h"
#include "entropy/lane_huffman.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace lmc {
namespace {

const std::uint8_t* values(std::span<const std::byte> bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

// The numbers of a chunk as a plane of them is decoded.
struct chunk {
  const layout& shape;
  std::size_t count;
  std::uint8_t* plain;

  std::uint8_t* at(std::size_t number) const {
    return plain + number / shape.unit_numbers * shape.unit_bytes;
  }
};

// The two lists of bits that are kept beside the symbols.
struct raw_lists {
  raw_lists(const plane& part, cursor& in, std::size_t count)
      : part_(part),
        bytes_(values(in.bytes(part.bytes_size(count)))),
        bits_(values(in.bytes(part.bits_size(count)))) {}

  void join(const std::uint8_t* symbols, const chunk& to, std::size_t first,
            std::size_t count) const {
    join_(part_, symbols, bytes_ + part_.bytes_size(first), bits_ + part_.bits_size(first),
          to.at(first), count);
  }

 private:
  const plane& part_;
  join_function join_ = find_join(part_.kind);
  const std::uint8_t* bytes_;
  const std::uint8_t* bits_;
};

template <typename Symbols>
void join_all(const raw_lists& raw, const chunk& to, Symbols&& symbols_of) {
  for (std::size_t first = 0; first < to.count; first += batch_numbers) {
    const std::size_t count = std::min(batch_numbers, to.count - first);
    raw.join(symbols_of(first, count), to, first, count);
  }
}

lane_states read_states(cursor& in, unsigned lanes) {
  lane_states states;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const std::uint32_t marked = in.u32();
    if (marked >> 16 == 0) throw error(errc::damaged, "a lane holds too few bits");
    const auto count = static_cast<unsigned>(std::bit_width(marked)) - 1;
    states.bits[lane] = marked ^ std::uint32_t{1} << count;
    states.extra[lane] = count - 16;
  }
  return states;
}

void decode_coded(const plane& part, unsigned lanes, unsigned limit, cursor& in, const chunk& to) {
  const std::size_t escape_count = lanes == many_lanes ? in.u32() : in.u16();
  const std::size_t word_count = lanes == many_lanes ? in.u32() : in.u16();
  const lane_code code(in, limit);
  const lane_decoding_tables tables(code, lanes);
  const lane_states start = read_states(in, lanes);
  const raw_lists raw(part, in, to.count);
  const auto escapes = in.bytes(escape_count);
  lane_decoder decoder(tables, start, in.bytes(2 * word_count), escapes);

  alignas(64) std::array<std::uint8_t, batch_numbers> symbols;
  const std::size_t group = group_values(lanes);
  join_all(raw, to, [&](std::size_t, std::size_t count) {
    if (!decoder.decode(std::span(symbols).first((count + group - 1) / group * group)))
      throw error(errc::damaged, "a coded plane ends too early");
    return symbols.data();
  });
  if (!decoder.exhausted())
    throw error(errc::damaged, "a coded plane does not end where it should");
}

void decode_plane(const plane& part, cursor& in, const chunk& to) {
  const std::uint8_t head = in.u8();
  const auto mode = static_cast<plane_mode>(head & plane_mode_mask);
  const bool coded = mode == plane_mode::few || mode == plane_mode::many;
  if ((head & ~(plane_mode_mask | (coded ? long_codes : 0))) != 0)
    throw error(errc::damaged, "a plane has an unknown mode");
  if (coded) {
    decode_coded(part, mode == plane_mode::many ? many_lanes : few_lanes,
                 (head & long_codes) != 0 ? 8 : 7, in, to);
  } else if (mode == plane_mode::constant) {
    std::array<std::uint8_t, batch_numbers> symbols;
    symbols.fill(in.u8());
    const raw_lists raw(part, in, to.count);
    join_all(raw, to, [&](std::size_t, std::size_t) { return symbols.data(); });
  } else if (mode == plane_mode::symbols) {
    const std::uint8_t* const symbols = values(in.bytes(to.count));
    const raw_lists raw(part, in, to.count);
    join_all(raw, to, [&](std::size_t first, std::size_t) { return symbols + first; });
  } else {
    throw error(errc::damaged, "a plane has an unknown mode");
  }
}

void decode_chunk(cursor& in, const chunk& to, std::size_t plain_bytes) {
  cursor ahead = in;
  if (static_cast<plane_mode>(ahead.u8()) == plane_mode::plain) {
    const auto stored = ahead.bytes(plain_bytes);
    std::memcpy(to.plain, stored.data(), plain_bytes);
    in = ahead;
    return;
  }
  for (const plane& part : to.shape.planes) decode_plane(part, in, to);
}

void decode_all(dtype type, cursor& in, std::span<std::byte> plain) {
  const layout& shape = layout_of(type);
  const std::size_t unit_limit = chunk_numbers / shape.unit_numbers;
  std::size_t units = plain.size() / shape.unit_bytes;
  std::size_t done = 0;
  while (units > 0) {
    const std::size_t taken = std::min(units, unit_limit);
    const std::size_t bytes = taken * shape.unit_bytes;
    decode_chunk(
        in,
        {shape, taken * shape.unit_numbers, reinterpret_cast<std::uint8_t*>(plain.data()) + done},
        bytes);
    done += bytes;
    units -= taken;
  }
  const auto tail = in.bytes(plain.size() - done);
  std::copy(tail.begin(), tail.end(), plain.begin() + static_cast<std::ptrdiff_t>(done));
  if (in.remaining() != 0) throw error(errc::damaged, "coded numbers have bytes behind them");
}

dtype type_of(std::uint32_t parameters) {
  if (parameters >= dtype_count) throw error(errc::damaged, "numbers of an unknown type");
  return static_cast<dtype>(parameters);
}

std::uint64_t memory_of(std::uint32_t parameters, std::uint64_t, const shared_model*) {
  type_of(parameters);
  return decoding_memory;
}

void decode_block(std::uint32_t parameters, std::span<const std::byte> coded,
                  std::span<std::byte> plain, const decoding_context&) {
  decode(type_of(parameters), coded, plain);
}

std::string describe(std::uint32_t parameters) {
  return parameters < dtype_count ? std::string(name_of(static_cast<dtype>(parameters)))
                                  : std::string();
}

}  // namespace

void decode(dtype type, std::span<const std::byte> coded, std::span<std::byte> plain) {
  cursor in(coded);
  try {
    decode_all(type, in, plain);
  } catch (const error& fault) {
    if (fault.code() != errc::truncated) throw;
    throw error(errc::damaged, "coded numbers end too early");
  }
}

}  // namespace lmc

const decoder lmc_decoder_v0 = {
    codec_id::lmc, 0, "lmc", lmc::memory_of, lmc::decode_block, lmc::describe, needs_no_model};

}  // namespace lmzip::codec
