#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "codec/tokens/line_kernels_scalar.h"
#include "codec/tokens/slot_table.h"
#include "codec/tokens/token_history.h"
#include "codec/tokens/token_match.h"
#include "codec/tokens/token_setup.h"
#include "codec/tokens/token_values.h"
#include "codec/tokens/tokens_data.h"
#include "model/candidate_set.h"
#include "model/logistic.h"
#include "model/mixer.h"
#include "model/row_mixture.h"

namespace lmzip::codec::tokens {

/// Predicts and codes tokens one after the other. A token is coded as
///   - a flag "the long match goes on", if there is one; or else
///   - up to three guesses, each a flag: the candidates that the lines of four contexts and the
///     match propose, the likeliest first, as long as their chance is high enough; or else
///   - the steps from the root of the step tree to its leaf, each a symbol of 16 whose chances are
///     mixed from three rows: of the node, of the node after tokens like the last one, and of the
///     node after the last token.
/// Works in table_plan::bytes zeroed bytes and never outside, whatever is decoded.
template <class Kernels>
class token_model {
 public:
  /// `history` holds the tokens so far: token i has to be there before code() is called for token
  /// i + 1.
  token_model(const token_setup& setup, const table_plan& plan, std::byte* memory,
              const std::uint16_t* history);

  /// Codes the next token, which `coder` knows or finds out, and returns it.
  template <class Coder>
  std::uint32_t code(Coder& coder);

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr int run_length = 6;
  static constexpr int sure_match = 12;  ///< its token is guessed first
  static constexpr std::array<std::uint32_t, cell_banks> least_chance{16000, 18000};
  static constexpr std::uint32_t match_source = lines;
  static constexpr int mixer_rate = 4;
  static constexpr int cell_rate = 7;
  static constexpr int match_rate = 6;
  static constexpr int guess_rate = 5;
  static constexpr int pair_rate = 4;
  static constexpr int run_rate = 3;
  static constexpr std::uint32_t node_row_rate = 1 << 9;    // 1/128
  static constexpr std::uint32_t group_row_rate = 1 << 10;  // 1/64
  static constexpr auto slot_rates = model::row_rates<16>(20, 48);

  using row = model::distribution_row;
  struct line_place {
    model::candidate_line* line;
    std::uint16_t check;
  };
  using line_set = std::array<line_place, lines>;
  using candidate_lines = typename Kernels::lines::candidates;

  template <class Coder>
  std::uint32_t code_run(Coder& coder) noexcept;
  template <class Coder>
  std::uint32_t guess(Coder& coder) noexcept;
  template <class Coder>
  [[gnu::always_inline]] inline bool code_guess(Coder& coder, int number, std::uint32_t source,
                                                std::uint32_t code) noexcept;
  template <bool ByGroup, class Coder>
  std::uint32_t step(Coder& coder, std::uint32_t node, unsigned depth) noexcept;
  template <class Coder>
  std::uint32_t walk(Coder& coder) noexcept;

  template <class Coder>
  void fetch_path(const Coder& coder) const noexcept;
  void locate_contexts() noexcept;
  void fetch_after(std::uint32_t leaf) const noexcept;
  [[gnu::always_inline]] inline void load_candidates() noexcept;
  [[gnu::always_inline]] inline std::uint32_t propose(int number, std::uint32_t& code) noexcept;
  void update_lines(const line_set& used, std::uint32_t leaf) noexcept;
  void finish(std::uint32_t leaf) noexcept;

  std::uint16_t* cells(int lane, int bank) const noexcept {
    return cells_ + (lane * cell_banks + bank) * line_cells;
  }
  std::uint16_t& match_right() const noexcept {
    const int length = match_.length();
    const int bucket = length < 16 ? length : 16 + (length - 16) / 8;
    return match_right_[bucket * match_misses + std::min(match_.misses(), match_misses - 1)];
  }
  model::candidate_line* line_at(std::size_t table, std::uint64_t hash) const noexcept {
    return lines_[table] + (hash >> line_shift_[table]);
  }
  void fetch_node(std::uint32_t node) const noexcept {
    slots_.prefetch(past_.last, node);
    if (node < group_nodes_) __builtin_prefetch(group_rows_ + node);
  }

  const model::step_tree* tree_;
  const tokens_data* data_;

  // Tables.
  row* rows_;
  std::uint32_t group_nodes_;
  std::uint16_t* cells_;
  std::uint16_t* match_right_;
  std::uint16_t* guess_right_;
  std::uint16_t* run_right_;
  std::uint16_t* pair_right_;
  model::mixture_weights* step_weights_;
  std::array<model::candidate_line*, line_tables> lines_;
  model::candidate_line* last_lines_;
  std::array<unsigned, line_tables> line_shift_;
  slot_table slots_;
  token_match match_;
  model::mixer<guess_inputs, 2, typename Kernels::mixing> mixer_;

  // Before the next token.
  std::uint32_t count_ = 0;  ///< of the tokens so far
  bool in_run_ = false;
  token_history past_;
  std::uint32_t chance_ = 1;  ///< of a linear congruential generator

  // Contexts of the next token.
  line_set line_{};
  row* group_rows_ = nullptr;
  candidate_lines candidates_;
  std::uint32_t expected_ = none;  ///< code of the token that the match expects
  std::uint32_t excluded_ = none;  ///< code of the token that a run did not go on with
  std::uint32_t match_class_ = 0;  ///< 0 without a match, else by its length
};

template <class Kernels>
token_model<Kernels>::token_model(const token_setup& setup, const table_plan& plan,
                                  std::byte* memory, const std::uint16_t* history)
    : tree_(&setup.data->tree()), data_(setup.data) {
  const value_layout& layout = setup.data->layout();
  std::memcpy(memory + plan.values, setup.values.data(), layout.bytes());
  const auto section = [&]<class T>(value_layout::section s, T*& place) {
    place = reinterpret_cast<T*>(memory + plan.values + layout.offset(s));
  };
  section(value_layout::rows, rows_);
  group_nodes_ = layout.group_nodes();
  section(value_layout::cells, cells_);
  section(value_layout::match_right, match_right_);
  section(value_layout::guess_right, guess_right_);
  section(value_layout::run_right, run_right_);
  section(value_layout::pair_right, pair_right_);
  section(value_layout::step_weights, step_weights_);
  std::array<std::int32_t*, 2> weights{};
  section(value_layout::source_weights, weights[0]);
  section(value_layout::last_weights, weights[1]);
  mixer_ = {weights, mixer_rate};
  for (std::size_t t = 0; t < line_tables; ++t) {
    lines_[t] = reinterpret_cast<model::candidate_line*>(memory + plan.lines[t]);
    line_shift_[t] = 64 - plan.log2_lines[t];
  }
  last_lines_ = reinterpret_cast<model::candidate_line*>(memory + plan.last_lines);
  slots_ = {reinterpret_cast<row*>(memory + plan.slots), plan.log2_slots};
  match_ = token_match(reinterpret_cast<std::uint32_t*>(memory + plan.matches), setup.log2_lines,
                       reinterpret_cast<std::uint32_t*>(memory + plan.far_matches),
                       plan.log2_far_matches, history);
  locate_contexts();
}

template <class Kernels>
template <class Coder>
std::uint32_t token_model<Kernels>::code(Coder& coder) {
  excluded_ = none;
  if (in_run_) {
    const std::uint32_t leaf = code_run(coder);
    if (leaf != none) {
      finish(leaf);
      return leaf;
    }
    locate_contexts();
  }
  if constexpr (Coder::knows_token) fetch_after(coder.token());
  std::uint32_t leaf = guess(coder);
  if (leaf == none) leaf = walk(coder);
  const line_set used = line_;
  finish(leaf);
  update_lines(used, leaf);
  return leaf;
}

/// A run that goes on changes nothing but its chances: that is what makes long repeats fast.
template <class Kernels>
template <class Coder>
std::uint32_t token_model<Kernels>::code_run(Coder& coder) noexcept {
  const std::uint32_t leaf = match_.expected();
  std::uint16_t& by_length = match_right();
  std::uint16_t& by_token = run_right_[leaf];
  // What happened to the same token lately tells most.
  const std::uint32_t chance = std::clamp((by_length + 7U * by_token) / 8, 64U, 65472U);
  const bool right = coder.code_flag(leaf, chance);
  model::adapt(by_length, right, match_rate);
  model::adapt(by_token, right, run_rate);
  if (right) return leaf;
  excluded_ = model::candidate_code(leaf);
  return none;
}

/// Brings in what is needed after the next token if that is `leaf`.
template <class Kernels>
void token_model<Kernels>::fetch_after(std::uint32_t leaf) const noexcept {
  const token_history after{leaf, past_.last, past_.before_last};
  __builtin_prefetch(line_at(0, after.hash_of_three()));
  __builtin_prefetch(line_at(2, after.hash_of_two()));
  __builtin_prefetch(last_lines_ + leaf);
  slots_.prefetch(leaf, 0);
}

template <class Kernels>
void token_model<Kernels>::locate_contexts() noexcept {
  const auto locate = [this](std::size_t lane, std::size_t table, std::uint64_t hash) {
    line_[lane] = {line_at(table, hash), static_cast<std::uint16_t>(hash >> 8 | 1)};
    __builtin_prefetch(line_[lane].line);
  };
  locate(0, 0, past_.hash_of_three());
  locate(1, 1, past_.hash_of_place(data_->traits(past_.last)));
  locate(3, 2, past_.hash_of_two());
  line_[2] = {last_lines_ + past_.last, 1};
  __builtin_prefetch(line_[2].line);
  group_rows_ =
      rows_ + tree_->node_count() + std::size_t{past_.last >> log2_last_group} * group_nodes_;
  fetch_node(0);
}

template <class Kernels>
void token_model<Kernels>::load_candidates() noexcept {
  for (int lane = 0; lane < lines; ++lane) {
    const auto i = static_cast<std::size_t>(lane);
    candidates_.load(lane, *line_[i].line, line_[i].line->check == line_[i].check);
  }
  if (excluded_ == none) return;
  for (int lane = 0; lane < lines; ++lane) candidates_.take(lane, excluded_);
  if (expected_ == excluded_) expected_ = none;
}

/// The source of the guess to make next and its code; `none` if no candidate is likely enough.
template <class Kernels>
std::uint32_t token_model<Kernels>::propose(int number, std::uint32_t& code) noexcept {
  const int bank = number == 0 ? 0 : 1;
  std::array<std::uint32_t, guess_sources> codes;
  std::uint32_t best = least_chance[static_cast<std::size_t>(bank)] << 3 | 7;
  for (int lane = 0; lane < lines; ++lane) {
    const auto i = static_cast<std::size_t>(lane);
    const front_candidate front = candidates_.front(lane, *line_[i].line);
    codes[i] = front.code;
    const std::uint32_t chance = cells(lane, bank)[front.cell];
    best = std::max(best, front.cell != 0 ? chance << 3 | static_cast<std::uint32_t>(lane) : 0);
  }
  if (expected_ != none) {
    const std::uint32_t key = std::uint32_t{match_right()} << 3 | match_source;
    codes[match_source] = expected_;
    if (key > best || match_.length() >= sure_match) best = key;
  }
  const std::uint32_t source = best & 7;
  if (source == 7) return none;
  code = codes[source];
  return source;
}

/// Codes whether the token is the guess.
template <class Kernels>
template <class Coder>
bool token_model<Kernels>::code_guess(Coder& coder, int number, std::uint32_t source,
                                      std::uint32_t code) noexcept {
  const std::uint32_t leaf = code - 1;
  const int bank = number == 0 ? 0 : 1;
  std::array<std::int32_t, guess_inputs> x;
  std::array<std::uint16_t*, lines> cell;
  for (int lane = 0; lane < lines; ++lane) {
    const auto i = static_cast<std::size_t>(lane);
    const std::uint32_t index = candidates_.take(lane, code);
    cell[i] = cells(lane, bank) + index;
    x[i] = index != 0 ? model::stretch(*cell[i]) : 0;
  }
  std::uint16_t* by_match = nullptr;
  x[match_source] = 0;
  if (expected_ != none) {
    const int confidence = model::stretch(match_right());
    if (expected_ == code) by_match = &match_right();
    x[match_source] = by_match != nullptr ? confidence : std::min(-confidence, 0);
  }
  std::uint16_t& by_token = guess_right_[leaf];
  std::uint16_t& by_pair =
      pair_right_[(past_.last * 0x9E3779B1U + leaf * 0x85EBCA6BU) >> (32 - log2_pairs)];
  x[5] = model::stretch(by_token);
  x[6] = model::stretch(by_pair);
  x[7] = mixer_.bias_input;
  Kernels::mixing::store_inputs(x, mixer_.inputs());
  mixer_.select(0, (static_cast<std::uint32_t>(number) * guess_sources + source) * match_classes +
                       match_class_);
  mixer_.select(1, past_.last >> log2_mixer_group);
  mixer_.mix();

  const bool right = coder.code_flag(leaf, static_cast<std::uint32_t>(mixer_.probability()));
  mixer_.learn(right);
  for (std::uint16_t* c : cell) model::adapt(*c, right, cell_rate);
  if (by_match != nullptr) {
    model::adapt(*by_match, right, match_rate);
    expected_ = none;
  }
  model::adapt(by_token, right, guess_rate);
  model::adapt(by_pair, right, pair_rate);
  return right;
}

template <class Kernels>
template <class Coder>
std::uint32_t token_model<Kernels>::guess(Coder& coder) noexcept {
  match_.find(count_);
  // The last token of a full alphabet has code 0, which stands for no token, and is never a guess.
  expected_ = none;
  match_class_ = 0;
  if (match_.active()) {
    const int length = match_.length();
    match_class_ = length >= 16 ? 3 : length >= 4 ? 2 : 1;
    const std::uint32_t code = model::candidate_code(match_.expected());
    if (code != 0) expected_ = code;
  }
  load_candidates();
  for (int number = 0; number < max_guesses; ++number) {
    std::uint32_t code = 0;
    const std::uint32_t source = propose(number, code);
    if (source == none) break;
    if (!Coder::knows_token) fetch_after(code - 1);
    if (code_guess(coder, number, source, code)) return code - 1;
  }
  return none;
}

/// Codes a step from a node, lets its rows learn and returns the child it leads to.
template <class Kernels>
template <bool ByGroup, class Coder>
std::uint32_t token_model<Kernels>::step(Coder& coder, std::uint32_t node,
                                         unsigned depth) noexcept {
  row& by_node = rows_[node];
  const slot_table::place place = slots_.find(past_.last, node);
  const std::uint32_t count = place.count;
  const std::uint32_t count_class = count == 0 ? 0 : count < 3 ? 1 : count < 7 ? 2 : 3;
  const unsigned step_class = ByGroup ? std::min(depth, 2U) : std::min(depth + 1, 4U);

  using mixture = typename Kernels::rows::template mixture<ByGroup ? 3 : 2>;
  typename mixture::row_set mixed;
  // A new slot stands for the next wider context until it has been used.
  mixed[0] = &by_node;
  if constexpr (ByGroup) mixed[2] = group_rows_ + node;
  mixed[1] = count != 0 ? place.slot : ByGroup ? mixed.back() : &by_node;
  mixture chances(mixed, step_weights_[step_class * count_classes + count_class]);
  const std::uint32_t way = coder.code_step(chances, depth);
  const std::uint32_t child = tree_->child(node, way);
  if constexpr (!Coder::knows_token) {
    if ((child & model::step_tree::leaf_mark) == 0)
      fetch_node(child);
    else
      fetch_after(child & ~std::uint32_t{model::step_tree::leaf_mark});
  }

  chances.learn(way);
  chances.update(by_node, way, node_row_rate, 0);
  if constexpr (ByGroup) chances.update(*mixed[2], way, group_row_rate, 0);
  chances.update(*place.slot, way, slot_rates[count], place.next_tag(), count == 0);
  return child;
}

/// Brings in the slots of all steps to a token that the coder knows.
template <class Kernels>
template <class Coder>
void token_model<Kernels>::fetch_path(const Coder& coder) const noexcept {
  std::uint32_t node = tree_->child(0, coder.step(0));
  for (unsigned depth = 1; (node & model::step_tree::leaf_mark) == 0; ++depth) {
    fetch_node(node);
    node = tree_->child(node, coder.step(depth));
  }
}

template <class Kernels>
template <class Coder>
std::uint32_t token_model<Kernels>::walk(Coder& coder) noexcept {
  if constexpr (Coder::knows_token) fetch_path(coder);
  std::uint32_t node = 0;
  for (unsigned depth = 0; (node & model::step_tree::leaf_mark) == 0; ++depth)
    node = node < group_nodes_ ? step<true>(coder, node, depth) : step<false>(coder, node, depth);
  return node & ~std::uint32_t{model::step_tree::leaf_mark};
}

template <class Kernels>
void token_model<Kernels>::update_lines(const line_set& used, std::uint32_t leaf) noexcept {
  chance_ = chance_ * 1664525 + 1013904223;
  for (std::size_t lane = 0; lane < lines; ++lane)
    Kernels::lines::promote(*used[lane].line, used[lane].check, model::candidate_code(leaf),
                            chance_ >> (30 - 2 * lane) & 3);
}

/// Takes note of the token that came and looks up the contexts of the next one, so that their lines
/// have time to come. In a run they are not needed.
template <class Kernels>
void token_model<Kernels>::finish(std::uint32_t leaf) noexcept {
  match_.advance(static_cast<std::uint16_t>(leaf), static_cast<std::uint16_t>(past_.last), count_);
  past_.advance(leaf, data_->traits(leaf));
  ++count_;
  in_run_ = match_.active() && match_.length() >= run_length;
  if (!in_run_) locate_contexts();
}

}  // namespace lmzip::codec::tokens
