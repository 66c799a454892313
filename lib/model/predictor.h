#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "model/adaptive_map.h"
#include "model/alphabet.h"
#include "model/candidate_set.h"
#include "model/context_tracker.h"
#include "model/counter_slots.h"
#include "model/match_model.h"
#include "model/mixer.h"
#include "model/ngram_candidates.h"
#include "model/outside_input.h"
#include "model/parameters.h"
#include "model/predictor_memory.h"

namespace lmzip::model {

/// Predicts the symbols of a block one binary decision at a time.
///
/// A symbol is coded as: if guess() names one, the decision "is it the guess?"; if there is no
/// guess or it was wrong, the path through the token tree. For each decision the caller asks for
/// the probability, codes the bit and reports it. Not thread-safe; all state lies in the memory
/// given to the constructor and in the object.
template <class Strength, class Kernels>
class predictor {
 public:
  static constexpr std::uint32_t no_guess = match_model::no_symbol;

  /// `memory` holds memory_plan(...).bytes zeroed bytes, aligned to 64; `parameters` is an image
  /// of layout's shape. `ngrams` are those that a strength takes candidates from, else nullptr.
  /// `prior` and `network` are distributions that the mixer gets, or nullptr; the latter only for a
  /// strength with such an input. All of them outlive the predictor.
  predictor(const alphabet& symbols, const memory_plan& plan, const parameter_layout& layout,
            std::span<const std::byte> parameters, std::byte* memory, const ngram_table* ngrams,
            symbol_distribution* prior, symbol_distribution* network);

  /// The symbol whose coming is the first decision, or no_guess.
  std::uint32_t guess() const noexcept { return guess_; }

  /// Chance that the guess is right, in units of 2^-16.
  std::uint32_t guess_probability() noexcept;
  void learn_guess(bool right) noexcept;

  /// The tree node at which the next decision stands.
  std::uint32_t node() const noexcept { return node_; }

  /// Chance that the symbol lies to the right of node(), in units of 2^-16.
  std::uint32_t probability() noexcept;

  /// Learns the decision; node() is then its child, which may be a leaf.
  void learn(bool right) noexcept;

  /// Takes the coded symbol into the history and prepares the next one.
  void finish_symbol(std::uint32_t leaf) noexcept;

 private:
  static constexpr int line_contexts = static_cast<int>(Strength::lines.size());
  static constexpr int usual_lanes = Strength::ngrams == ngram_use::candidates ? 2 : 0;
  static constexpr int used_lanes = line_contexts + usual_lanes;
  static constexpr int lanes = used_lanes <= 8 ? 8 : 16;
  static constexpr int slot_contexts = static_cast<int>(Strength::slots.size());
  static constexpr int matches = static_cast<int>(Strength::match_symbols.size());
  // Mixer inputs: the lanes, then these.
  static constexpr std::size_t order0_input = 0;
  static constexpr std::size_t slot_input = order0_input + 1;
  static constexpr std::size_t match_input = slot_input + slot_contexts;
  static constexpr std::size_t outside_place = match_input + matches;
  static constexpr std::size_t outside_count = Strength::network ? 2 : 1;
  static constexpr std::size_t bias_place = outside_place + outside_count;
  static constexpr std::size_t further_count = (bias_place + 1 + 7) / 8 * 8;
  static constexpr int inputs = lanes + static_cast<int>(further_count);
  using further_inputs = std::array<std::int32_t, further_count>;
  static constexpr int upper_depth = 6;  ///< nodes above it have a bank of cells of their own
  static constexpr int guess_depth = -1;

 public:
  static constexpr predictor_shape shape(std::uint32_t symbol_count) noexcept {
    return {.symbols = symbol_count,
            .lanes = lanes,
            .used_lanes = used_lanes,
            .inputs = inputs,
            .real_inputs = bias_place,
            .matches = matches,
            .last_group = Strength::last_group,
            .before_last_group = Strength::before_last_group};
  }

  /// Memory for a block of up to `symbols` symbols, hash tables of `log2_lines` lines a context.
  static memory_plan plan(const parameter_layout& layout, unsigned log2_lines,
                          std::uint64_t symbols) {
    return make_memory_plan(layout,
                            {.lines = line_contexts,
                             .slots = slot_contexts,
                             .matches = matches,
                             .usual = usual_lanes != 0},
                            log2_lines, std::min(log2_lines + 1, Strength::max_log2_slots),
                            symbols);
  }

 private:
  std::uint16_t* end() const noexcept { return history_ + count_; }
  const symbol_facts& last_facts() const noexcept { return symbols_->facts(end()[-1]); }

  void begin_symbol() noexcept;
  void locate_contexts() noexcept;
  void choose_guess() noexcept;
  void start_tree() noexcept;
  void enter_slots(std::uint32_t sister) noexcept;
  void select_weights(std::uint32_t first_row, int depth) noexcept;
  void prefetch_symbol() const noexcept;
  void prefetch_children(const token_tree::node& node) const noexcept;
  std::uint32_t finish_inputs(int depth, bool expected) noexcept;
  void learn_common(bool bit) noexcept;
  void update_line(candidate_line& line, std::uint16_t check, std::uint16_t code) noexcept;
  bool by_chance(unsigned level) noexcept;
  bool needs_network() const noexcept;

  std::uint32_t* cell_bank(int which) const noexcept {
    return cells_ + which * lanes * cells_per_lane;
  }
  static int depth_class(int depth) noexcept {
    return depth < 0 ? 4 : depth < 3 ? 0 : depth < 6 ? 1 : depth < 10 ? 2 : 3;
  }
  static int match_place(int depth) noexcept {
    return depth < 2 ? 0 : depth < 5 ? 1 : depth < 9 ? 2 : 3;
  }

  const alphabet* symbols_;
  const token_tree* tree_;
  ngram_candidates usual_;
  std::array<outside_input, outside_count> outside_;
  context_tracker tracker_;
  std::uint16_t* history_;
  std::uint32_t count_ = context_tracker::history_margin;
  std::uint32_t chance_ = 1;  ///< of a linear congruential generator

  // Contexts of the current symbol.
  std::array<candidate_line*, line_contexts> line_{};
  std::array<const candidate_line*, lanes> shown_line_{};  ///< these and the usual candidates
  std::array<std::uint16_t, lanes> line_check_{};
  std::array<std::uint64_t, slot_contexts> slot_hash_{};
  std::array<counter_slots::bucket, slot_contexts> bucket_{};
  std::array<counter_slot*, slot_contexts> slot_{};
  std::array<bit_counter*, slot_contexts> counter_{};
  candidate_set<lanes> candidates_;
  active_cells<lanes> active_;
  int known_ = 0;  ///< strongest confirming context that has candidates, from 1; 0: none

  // The current decision.
  std::uint32_t guess_ = no_guess;
  std::uint32_t node_ = 0;
  std::uint32_t slot_position_ = 1;
  int match_class_ = 0;
  std::array<bool, matches> match_used_{};
  std::array<bool, matches> match_expects_{};
  std::uint16_t* order0_ = nullptr;

  candidate_line* lines_;
  unsigned line_shift_;
  std::array<counter_slots, slot_contexts> slots_;
  bit_counter* guess_counters_;
  unsigned guess_shift_;
  std::uint16_t* node_probability_;
  std::uint16_t* guess_probability_;
  std::uint32_t* cells_;
  mixer<inputs, mixer_sets, Kernels> mixer_;
  adaptive_map state_map_;
  std::array<match_model, matches> match_;
};

}  // namespace lmzip::model

#include "model/predictor_impl.h"
