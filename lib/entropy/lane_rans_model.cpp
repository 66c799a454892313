#include "entropy/lane_rans_model.h"

#include <algorithm>
#include <array>
#include <bit>

#include "entropy/arithmetic_coder.h"
#include "lmzip/error.h"

namespace lmzip {
namespace {

// A stored weight is rounded to four significant bits: wrong by 3 % on average, which costs less
// than 0.0005 bits a symbol, and saves half of the model.
constexpr unsigned significant_bits = 4;
constexpr unsigned max_octave = lane_rans_model::max_precision + 1;

constexpr unsigned bits_below(unsigned octave) noexcept {
  return std::min(octave, significant_bits) - 1;
}

std::uint16_t rounded(std::uint32_t weight) noexcept {
  const auto octave = static_cast<unsigned>(std::bit_width(weight));
  if (octave <= significant_bits) return static_cast<std::uint16_t>(weight);
  const unsigned shift = octave - significant_bits;
  return static_cast<std::uint16_t>((weight + (1U << (shift - 1))) >> shift << shift);
}

/// The chance that a bit is 1, learned from those seen: fast at first.
class adaptive_bit {
 public:
  std::uint32_t chance() const noexcept { return chance_; }
  void learn(bool bit) noexcept {
    if (bit)
      chance_ += (65535 - chance_) >> rate_;
    else
      chance_ -= chance_ >> rate_;
    if (rate_ < 5) ++rate_;
  }

 private:
  std::uint32_t chance_ = 32768;
  unsigned rate_ = 1;
};

class weight_writer {
 public:
  bool code(bool bit, adaptive_bit& chance) {
    coder_.encode(bit, chance.chance());
    chance.learn(bit);
    return bit;
  }
  bool code_raw(bool bit) {
    coder_.encode(bit, 32768);
    return bit;
  }
  std::vector<std::byte> finish() { return coder_.finish(); }

 private:
  arithmetic_encoder coder_;
};

class weight_reader {
 public:
  explicit weight_reader(std::span<const std::byte> code) : coder_(code) {}
  bool code(bool, adaptive_bit& chance) {
    const bool bit = coder_.decode(chance.chance());
    chance.learn(bit);
    return bit;
  }
  bool code_raw(bool) { return coder_.decode(32768); }
  bool exhausted() const noexcept { return coder_.exhausted(); }

 private:
  arithmetic_decoder coder_;
};

/// Codes weights one by one: whether it is 0, its octave (number of bits) against the last one, the
/// bits below its highest. Neighbours are alike, and so are neighbouring contexts.
template <class Coder>
class weight_coder {
 public:
  explicit weight_coder(Coder& coder) : coder_(coder) {}

  void start_context() noexcept { last_ = before_ = 0, octave_ = 1; }

  /// Codes `weight`; `above` is that of the same symbol in the context before. Returns it.
  std::uint16_t code(std::uint16_t weight, std::uint16_t above) {
    const bool present = coder_.code(weight != 0, present_[last_ != 0][before_ != 0][above != 0]);
    before_ = last_;
    last_ = present;
    if (!present) return 0;
    octave_ = code_octave(static_cast<unsigned>(std::bit_width(weight)),
                          static_cast<unsigned>(std::bit_width(above)));
    const unsigned shift = octave_ - 1 - bits_below(octave_);
    std::uint32_t value = 1;
    for (unsigned bit = octave_ - 1; bit-- > shift;)
      value = value << 1 | std::uint32_t{coder_.code_raw((weight >> bit & 1) != 0)};
    return static_cast<std::uint16_t>(value << shift);
  }

 private:
  unsigned code_octave(unsigned octave, unsigned above) {
    const unsigned relation = above == 0 ? 0 : above < octave_ ? 1 : above == octave_ ? 2 : 3;
    if (coder_.code(octave == octave_, equal_[relation])) return octave_;
    const bool up =
        octave_ == 1 || (octave_ < max_octave && coder_.code(octave > octave_, up_[relation]));
    unsigned reached = up ? octave_ + 1 : octave_ - 1;
    for (unsigned step = 0; reached != (up ? max_octave : 1); ++step) {
      if (!coder_.code(octave != reached, further_[up][std::min(step, 2U)])) break;
      reached = up ? reached + 1 : reached - 1;
    }
    return reached;
  }

  Coder& coder_;
  unsigned octave_ = 1;  ///< of the last weight that was not 0
  bool last_ = false, before_ = false;
  adaptive_bit present_[2][2][2];
  adaptive_bit equal_[4], up_[4], further_[2][3];
};

template <class Coder>
void code_weights(Coder& coder, const lane_rans_model::shape& alphabet,
                  std::span<std::uint16_t> weights) {
  weight_coder<Coder> by_weight(coder);
  for (unsigned context = 0; context < alphabet.contexts; ++context) {
    by_weight.start_context();
    for (unsigned symbol = 0; symbol < alphabet.symbols; ++symbol) {
      const std::size_t at = std::size_t{context} * lane_rans_model::max_symbols + symbol;
      const std::uint16_t above = context == 0 ? 0 : weights[at - lane_rans_model::max_symbols];
      weights[at] = by_weight.code(weights[at], above);
    }
  }
}

/// Of the symbols with a frequency, the one whose count of one more (`step` 1) or one less (-1)
/// costs least: largest and smallest quotients of A. Sainte-Laguë's method, since the gain of a
/// symbol of weight w from f to f + 1 is w log((f + 1) / f), close to w / (f + 1/2).
unsigned best_to_change(std::span<const std::uint16_t> weights,
                        std::span<const std::uint16_t> frequencies, int step) noexcept {
  unsigned best = 0;
  std::uint64_t best_weight = 0, best_divisor = 0;
  for (unsigned s = 0; s < weights.size(); ++s) {
    if (weights[s] == 0 || (step < 0 && frequencies[s] == 1)) continue;
    const std::uint64_t weight = weights[s];
    const std::uint64_t divisor = 2 * std::uint64_t{frequencies[s]} + (step > 0 ? 1 : -1);
    const bool better = step > 0 ? weight * best_divisor > best_weight * divisor
                                 : weight * best_divisor < best_weight * divisor;
    if (best_divisor != 0 && !better) continue;
    best = s;
    best_weight = weight;
    best_divisor = divisor;
  }
  return best;
}

void scale_context(std::span<const std::uint16_t> weights, std::span<std::uint16_t> frequencies,
                   std::uint32_t one) noexcept {
  std::uint64_t total = 0;
  for (const std::uint16_t weight : weights) total += weight;
  std::uint32_t sum = 0;
  for (unsigned s = 0; s < weights.size(); ++s) {
    if (weights[s] == 0) continue;
    const auto share =
        static_cast<std::uint32_t>((std::uint64_t{weights[s]} * one + total / 2) / total);
    frequencies[s] = static_cast<std::uint16_t>(std::max<std::uint32_t>(share, 1));
    sum += frequencies[s];
  }
  for (; sum < one; ++sum) ++frequencies[best_to_change(weights, frequencies, 1)];
  for (; sum > one; --sum) --frequencies[best_to_change(weights, frequencies, -1)];
}

/// What is left of `counts` when rare symbols become escapes, as weights near `one` in total.
void weigh_context(const lane_rans_model::shape& alphabet, std::span<const std::uint32_t> counts,
                   unsigned escape_bits, std::span<std::uint16_t> weights) noexcept {
  std::uint64_t total = 0;
  for (unsigned s = 0; s < alphabet.symbols; ++s) total += counts[s];
  // A slot costs everything else log2(1 / (1 - 2^-precision)) bits, 1.44 * 2^-precision, and saves
  // the bits of the detour: an escape of about 2^-10 and what follows it.
  const std::uint64_t saved =
      std::max(escape_bits + 10, alphabet.precision + 1) - alphabet.precision;
  std::uint64_t escaped = counts[alphabet.escape];
  const auto pays = [&](std::uint32_t count) {
    return ((std::uint64_t{count} * saved * 2) << alphabet.precision) >= 3 * total;
  };
  bool any = false;
  for (unsigned s = 0; s < alphabet.symbols; ++s) {
    if (s == alphabet.escape || counts[s] == 0) continue;
    if (!pays(counts[s])) {
      escaped += counts[s];
      continue;
    }
    const std::uint64_t share =
        ((std::uint64_t{counts[s]} << alphabet.precision) + total / 2) / total;
    weights[s] = rounded(std::max(static_cast<std::uint32_t>(share), 1U));
    any = true;
  }
  const std::uint64_t share =
      total == 0 ? 0 : ((escaped << alphabet.precision) + total / 2) / total;
  weights[alphabet.escape] = rounded(std::max(static_cast<std::uint32_t>(share), 1U));
  if (!any) weights[alphabet.escape == 0 ? 1 : 0] = 1;  // no symbol may have all
}

}  // namespace

lane_rans_model::lane_rans_model(const shape& alphabet)
    : shape_(alphabet),
      weights_(std::size_t{alphabet.contexts} * max_symbols),
      frequencies_(weights_.size()) {}

lane_rans_model lane_rans_model::fit(const shape& alphabet, std::span<const std::uint32_t> counts,
                                     unsigned escape_bits) {
  lane_rans_model model(alphabet);
  for (unsigned context = 0; context < alphabet.contexts; ++context) {
    const std::size_t at = std::size_t{context} * max_symbols;
    weigh_context(alphabet, counts.subspan(at, max_symbols), escape_bits,
                  std::span(model.weights_).subspan(at, max_symbols));
  }
  model.scale();
  return model;
}

lane_rans_model lane_rans_model::read(const shape& alphabet, cursor& in) {
  lane_rans_model model(alphabet);
  const std::size_t length = in.u16();
  weight_reader coder(in.bytes(length));
  code_weights(coder, alphabet, model.weights_);
  if (!coder.exhausted()) throw error(errc::damaged, "a table of frequencies has a wrong length");
  for (unsigned context = 0; context < alphabet.contexts; ++context) {
    const auto weights =
        std::span(model.weights_).subspan(std::size_t{context} * max_symbols, max_symbols);
    const auto zeros = std::count(weights.begin(), weights.end(), 0);
    if (weights[alphabet.escape] == 0 || zeros > std::ptrdiff_t{max_symbols} - 2)
      throw error(errc::damaged, "a table of frequencies lacks a symbol");
  }
  model.scale();
  return model;
}

void lane_rans_model::append_to(std::vector<std::byte>& bytes) const {
  weight_writer coder;
  std::vector<std::uint16_t> weights = weights_;
  code_weights(coder, shape_, weights);
  const std::vector<std::byte> code = coder.finish();
  bytes.push_back(static_cast<std::byte>(code.size() & 255));
  bytes.push_back(static_cast<std::byte>(code.size() >> 8));
  bytes.insert(bytes.end(), code.begin(), code.end());
}

void lane_rans_model::scale() {
  for (unsigned context = 0; context < shape_.contexts; ++context) {
    const std::size_t at = std::size_t{context} * max_symbols;
    scale_context(std::span<const std::uint16_t>(weights_).subspan(at, max_symbols),
                  std::span(frequencies_).subspan(at, max_symbols), 1U << shape_.precision);
  }
}

}  // namespace lmzip
