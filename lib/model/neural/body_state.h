#pragma once

#include <cstdint>
#include <vector>

#include "model/neural/language_model.h"

namespace lmzip::model::neural {

/// What the layers of a recurrent body remember of a sequence; empty for other bodies.
class recurrent_state {
 public:
  explicit recurrent_state(const language_model& model);

  std::int32_t* hidden(std::size_t layer) noexcept { return hidden_.data() + layer * width_; }
  std::int8_t* before(std::size_t layer) noexcept { return before_.data() + layer * width_; }

 private:
  std::size_t width_;
  std::vector<std::int32_t> hidden_;  ///< Q18
  std::vector<std::int8_t> before_;   ///< activations of the token before
};

/// What the layers of a transformer remember of a sequence: keys and values of its last tokens, in
/// rings of `context` rows for each head. Empty for other bodies.
class attention_state {
 public:
  explicit attention_state(const language_model& model);

  /// Where a token stands in its sequence and in the rings.
  struct place {
    std::uint32_t position;  ///< from the start of the sequence, mod 2^32
    std::size_t slot;
    int tokens;  ///< that the token sees, with itself: in slots from 0 on
  };

  /// The place of the coming token.
  place next_place() noexcept;

  /// Rings of all heads, one behind the other.
  std::int16_t* keys(std::size_t layer) noexcept { return keys_.data() + layer * ring_; }
  std::int16_t* values(std::size_t layer) noexcept { return values_.data() + layer * ring_; }

 private:
  int context_;
  std::size_t ring_;  ///< numbers of those of all heads
  place next_{0, 0, 1};
  std::vector<std::int16_t> keys_, values_;
};

/// What the body remembers of a sequence.
struct body_state {
  explicit body_state(const language_model& model) : recurrent(model), attention(model) {}

  static std::uint64_t memory(const language_model& model);

  recurrent_state recurrent;
  attention_state attention;
};

/// One token of one sequence.
struct body_step {
  body_state* state;
  std::uint32_t symbol;
  std::int8_t* out;  ///< row for the head, [width]
};

}  // namespace lmzip::model::neural
