#include "entropy/lane_rans.h"

#include <algorithm>
#include <bit>

#include "core/cpu.h"
#include "core/endian.h"
#include "entropy/lane_rans_kernels.h"
#include "lmzip/error.h"

namespace lmzip {
namespace {

constexpr unsigned symbols = lane_rans_model::max_symbols;

const lane_rans::kernels& active_kernels() noexcept {
#if defined(__x86_64__)
  if (active_isa() == isa::avx512) return lane_rans::avx512::table;
  if (active_isa() != isa::scalar) return lane_rans::avx2::table;
#endif
  return lane_rans::scalar::table;
}

/// ceil(2^(31 + b) / frequency), b = ceil(log2(frequency)): the upper 32 bits of its product with a
/// state, shifted right by b - 1, are the quotient (T. Granlund, P. Montgomery, "Division by
/// invariant integers using multiplication", PLDI 1994). For 1 the quotient comes out as state - 1,
/// which the bias makes good.
template <bool Raw>
std::uint64_t encode_entry_of(std::uint32_t frequency, std::uint32_t start, unsigned raw_bits,
                              std::uint32_t one) noexcept {
  using entry = lane_rans::encode_entry<Raw>;
  std::uint32_t reciprocal = ~std::uint32_t{0}, bias = start + one - 1, shift = 0;
  if (frequency > 1) {
    const auto bits = static_cast<unsigned>(std::bit_width(frequency - 1));
    reciprocal =
        static_cast<std::uint32_t>(((std::uint64_t{1} << (31 + bits)) + frequency - 1) / frequency);
    bias = start;
    shift = bits - 1;
  }
  std::uint32_t rest = frequency | bias << entry::bias_at | shift << entry::shift_at;
  if (Raw) rest |= raw_bits << entry::raw_at;
  return std::uint64_t{rest} << 32 | reciprocal;
}

template <bool Raw>
std::uint32_t decode_entry_of(std::uint32_t symbol, std::uint32_t frequency, std::uint32_t place,
                              unsigned raw_bits) noexcept {
  using entry = lane_rans::decode_entry<Raw>;
  std::uint32_t value = symbol | frequency << entry::frequency_at | place << entry::place_at;
  if (Raw) value |= raw_bits << entry::raw_at;
  return value;
}

}  // namespace

lane_decode_table::lane_decode_table(const lane_rans_model& model, raw_bits_of_symbols raw_bits)
    : precision(model.alphabet().precision),
      contexts(model.alphabet().contexts),
      has_raw_bits(!raw_bits.empty()),
      entries(std::size_t{contexts} << precision) {
  std::size_t at = 0;
  for (unsigned context = 0; context < contexts; ++context) {
    const auto frequencies = model.frequencies(context);
    for (std::uint32_t symbol = 0; symbol < symbols; ++symbol)
      for (std::uint32_t place = 0; place < frequencies[symbol]; ++place)
        entries[at++] =
            has_raw_bits
                ? decode_entry_of<true>(symbol, frequencies[symbol], place, raw_bits[symbol])
                : decode_entry_of<false>(symbol, frequencies[symbol], place, 0);
  }
}

lane_encode_table::lane_encode_table(const lane_rans_model& model, raw_bits_of_symbols raw_bits)
    : precision(model.alphabet().precision),
      contexts(model.alphabet().contexts),
      has_raw_bits(!raw_bits.empty()),
      escape(static_cast<std::uint8_t>(model.alphabet().escape)),
      entries(std::size_t{contexts} * symbols) {
  const std::uint32_t one = std::uint32_t{1} << precision;
  for (unsigned context = 0; context < contexts; ++context) {
    const auto frequencies = model.frequencies(context);
    std::uint32_t start = 0;
    for (unsigned symbol = 0; symbol < symbols; ++symbol) {
      const std::uint32_t frequency = frequencies[symbol];
      if (frequency == 0) continue;
      entries[std::size_t{context} * symbols + symbol] =
          has_raw_bits ? encode_entry_of<true>(frequency, start, raw_bits[symbol], one)
                       : encode_entry_of<false>(frequency, start, 0, one);
      start += frequency;
    }
  }
}

lane_rans_encoder::lane_rans_encoder(const lane_encode_table& table, unsigned lanes,
                                     std::span<std::byte> room)
    : table_(table), room_(room), first_(room.data() + room.size()) {
  states_.lanes = lanes;
  states_.state.fill(lane_rans::lowest_state);
}

void lane_rans_encoder::prepend(const lane_elements& elements, std::size_t count) noexcept {
  // The scalar loop takes what is no whole unit, the vector loop the rest.
  std::size_t left = count;
  if (const std::size_t tail = count % lane_unit; tail != 0) {
    const std::size_t from = count - tail;
    const lane_elements last{elements.contexts ? elements.contexts + from : nullptr,
                             elements.symbols + from, elements.raw ? elements.raw + from : nullptr};
    lane_states shifted = states_;
    const std::size_t lane = from % states_.lanes;
    std::copy_n(&states_.state[lane], tail, shifted.state.begin());
    lane_rans::scalar::table.encode(table_, shifted, first_, last, tail);
    std::copy_n(shifted.state.begin(), tail, &states_.state[lane]);
    left = from;
  }
  active_kernels().encode(table_, states_, first_, elements, left);
}

lane_rans_decoder::lane_rans_decoder(const lane_decode_table& table, unsigned lanes,
                                     std::span<const std::byte> states,
                                     std::span<const std::byte> words)
    : table_(table), next_(words.data()), end_(words.data() + words.size()) {
  states_.lanes = lanes;
  states_.state.fill(lane_rans::lowest_state);
  if (states.size() != std::size_t{4} * lanes)
    throw error(errc::damaged, "a stream has a wrong number of states");
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const auto state = load_le<std::uint32_t>(&states[std::size_t{4} * lane]);
    if (state < lane_rans::lowest_state || state >> 31 != 0)
      throw error(errc::damaged, "a state is out of range");
    states_.state[lane] = state;
  }
}

void lane_rans_decoder::decode(const lane_elements& elements, std::size_t count) noexcept {
  lane_rans::decode_position at{next_, end_, missing_};
  const std::size_t done = active_kernels().decode(table_, states_, at, elements, 0, count);
  if (done != count) lane_rans::scalar::table.decode(table_, states_, at, elements, done, count);
  next_ = at.next;
  missing_ = at.missing;
}

bool lane_rans_decoder::finished() const noexcept {
  return next_ == end_ && missing_ == 0 &&
         std::all_of(states_.state.begin(), states_.state.end(),
                     [](std::uint32_t state) { return state == lane_rans::lowest_state; });
}

}  // namespace lmzip
