#include "entropy/rans.h"

namespace lmzip {

void rans_encoder::flush() {
  constexpr std::size_t states_bytes = 16;
  std::uint64_t states[2] = {rans_decoder::lower_bound, rans_decoder::lower_bound};
  // A symbol gives at most one word, so the words take the place of the symbols that are coded
  // already, from the back as well: so they are in the order of the decoder.
  std::size_t first_word = count_;
  for (std::size_t i = count_; i-- > 0;) {
    std::uint64_t& state = states[i & 1];
    const std::uint32_t start = symbols_[i] >> 16;
    const std::uint32_t frequency = symbols_[i] & 0xffff;
    if (state >= std::uint64_t{frequency} << 48) {
      symbols_[--first_word] = static_cast<std::uint32_t>(state);
      state >>= 32;
    }
    const std::uint64_t quotient = state / frequency;
    state = (quotient << rans_precision) + (state - quotient * frequency) + start;
  }

  std::size_t at = bytes_.size();
  bytes_.resize(at + states_bytes + 4 * (count_ - first_word));
  for (const std::uint64_t state : states) {
    store_le(bytes_.data() + at, state);
    at += 8;
  }
  for (std::size_t i = first_word; i < count_; ++i, at += 4)
    store_le(bytes_.data() + at, symbols_[i]);
  count_ = 0;
}

void rans_decoder::start_chunk() noexcept {
  for (std::uint64_t* state : {&state_, &other_state_}) {
    *state = next_word();
    *state |= std::uint64_t{next_word()} << 32;
  }
}

}  // namespace lmzip
