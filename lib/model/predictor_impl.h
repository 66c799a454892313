#pragma once

// Member functions of predictor; included by predictor.h only.

namespace lmzip::model {

template <class Strength, class Kernels>
predictor<Strength, Kernels>::predictor(const alphabet& symbols, const memory_plan& plan,
                                        const parameter_layout& layout,
                                        std::span<const std::byte> parameters, std::byte* memory,
                                        const ngram_table* ngrams, symbol_distribution* prior,
                                        symbol_distribution* network)
    : symbols_(&symbols), tree_(&symbols.tree()), tracker_(symbols) {
  outside_[0] = outside_input(prior);
  if constexpr (Strength::network) outside_[1] = outside_input(network);
  std::memcpy(memory + plan.parameters, parameters.data(), parameters.size());
  const auto section = [&](parameter_layout::section s) {
    return memory + plan.parameters + layout.offset(s);
  };
  history_ = reinterpret_cast<std::uint16_t*>(memory + plan.history);
  lines_ = reinterpret_cast<candidate_line*>(memory + plan.lines);
  line_shift_ = 64 - plan.log2_lines;
  for (std::size_t i = 0; i < slot_contexts; ++i)
    slots_[i] =
        counter_slots(reinterpret_cast<counter_slot*>(memory + plan.slots) + (i << plan.log2_slots),
                      plan.log2_slots);
  guess_counters_ = reinterpret_cast<bit_counter*>(memory + plan.guess_counters);
  guess_shift_ = 64 - plan.log2_guess_counters;
  node_probability_ = reinterpret_cast<std::uint16_t*>(section(parameter_layout::node_probability));
  guess_probability_ =
      reinterpret_cast<std::uint16_t*>(section(parameter_layout::guess_probability));
  cells_ = reinterpret_cast<std::uint32_t*>(section(parameter_layout::cells));
  state_map_ = adaptive_map(reinterpret_cast<std::uint16_t*>(section(parameter_layout::state_map)));

  std::array<std::int32_t*, mixer_sets> weights{};
  auto* vector = reinterpret_cast<std::int32_t*>(section(parameter_layout::weights));
  const auto rows = mixer_rows(layout.shape());
  for (std::size_t s = 0; s < mixer_sets; ++s) {
    weights[s] = vector;
    vector += std::size_t{rows[s]} * inputs;
  }
  mixer_ = {weights, Strength::learning_rate};

  auto* match_tables = reinterpret_cast<std::uint32_t*>(memory + plan.matches);
  auto* match_maps = reinterpret_cast<std::uint16_t*>(section(parameter_layout::match_map));
  for (std::size_t i = 0; i < matches; ++i)
    match_[i] = match_model(match_tables + (i << plan.log2_match), plan.log2_match,
                            Strength::match_symbols[i], match_maps + i * match_model::map_size);
  for (match_model& match : match_) match.prefetch(history_, count_);
  if constexpr (usual_lanes != 0)
    usual_ = ngram_candidates(*ngrams, reinterpret_cast<candidate_line*>(memory + plan.usual),
                              plan.log2_usual_pairs);
  locate_contexts();
  begin_symbol();
}

template <class Strength, class Kernels>
void predictor<Strength, Kernels>::locate_contexts() noexcept {
  const auto line = [this]<std::size_t I>() {
    const std::uint64_t hash = hash_finish(tracker_.template hash<Strength::lines[I]>(end()));
    line_[I] = lines_ + (I << (64 - line_shift_)) + (hash >> line_shift_);
    shown_line_[I] = line_[I];
    __builtin_prefetch(line_[I]);
    line_check_[I] = static_cast<std::uint16_t>((hash >> 8 & 0xffff) | 1);
  };
  const auto slot = [this]<std::size_t I>() {
    slot_hash_[I] = hash_finish(tracker_.template hash<Strength::slots[I]>(end()) + 64);
    bucket_[I] = slots_[I].fetch(slot_hash_[I]);
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) { (line.template operator()<I>(), ...); }
  (std::make_index_sequence<static_cast<std::size_t>(line_contexts)>());
  [&]<std::size_t... I>(std::index_sequence<I...>) { (slot.template operator()<I>(), ...); }
  (std::make_index_sequence<static_cast<std::size_t>(slot_contexts)>());
}

/// Prepares the next symbol, after locate_contexts().
template <class Strength, class Kernels>
void predictor<Strength, Kernels>::begin_symbol() noexcept {
  for (match_model& match : match_) match.find(history_, count_, context_tracker::history_margin);
  if constexpr (usual_lanes != 0) {
    const auto show = [this](std::size_t lane, const candidate_line& line) {
      shown_line_[lane] = &line;
      line_check_[lane] = line.check;
    };
    show(line_contexts, usual_.after(end()[-1]));
    show(line_contexts + 1, usual_.after(end()[-2], end()[-1]));
  }
  Kernels::load(shown_line_.data(), line_check_.data(), used_lanes, candidates_);
  known_ = 0;
  for (std::size_t i = 0; i < Strength::confirming.size(); ++i)
    if (candidates_.total[Strength::confirming[i]] != 0) known_ = static_cast<int>(i) + 1;

  const std::uint16_t last = end()[-1];
  mixer_.select(2, last >> Strength::last_group);
  outside_[0].begin();
  if constexpr (Strength::network) outside_[1].begin(needs_network());
  choose_guess();
  if (guess_ == no_guess) start_tree();
}

/// Where the match has long been right the network would cost most of the time for nothing.
template <class Strength, class Kernels>
bool predictor<Strength, Kernels>::needs_network() const noexcept {
  return !match_[0].active() || match_[0].length() < Strength::trusted_match;
}

template <class Strength, class Kernels>
void predictor<Strength, Kernels>::choose_guess() noexcept {
  if (match_[0].active() && match_[0].length() >= 12) {
    guess_ = match_[0].expected();
    return;
  }
  const std::uint32_t best = Kernels::best_front(candidates_, cell_bank(2));
  guess_ = no_guess;
  if (best >> 8 > Strength::guess_threshold) guess_ = candidates_.code[best & 0xff] - 1U;
}

template <class Strength, class Kernels>
void predictor<Strength, Kernels>::start_tree() noexcept {
  node_ = 0;
  enter_slots(0);
  for (outside_input& input : outside_) input.start_tree();
}

/// `first_row` is the row of the first weight set.
template <class Strength, class Kernels>
void predictor<Strength, Kernels>::select_weights(std::uint32_t first_row, int depth) noexcept {
  const auto place = static_cast<std::uint32_t>(depth < 0 ? 3 : std::min(depth / 3, 3));
  const std::uint32_t second_last = end()[-2];
  const std::uint32_t within =
      Strength::uses_records ? tracker_.record_position() % 32 : std::min(tracker_.field(), 31U);
  mixer_.select(0, first_row);
  mixer_.select(1,
                static_cast<std::uint32_t>((match_class_ * 4 + known_) * 5 + depth_class(depth)));
  mixer_.select(3, (second_last >> Strength::before_last_group) * 4 + place);
  mixer_.select(4, within * 32 + static_cast<std::uint32_t>(std::min(depth + 1, 31)));
}

/// Weights that the coming symbol needs, but not at once.
template <class Strength, class Kernels>
void predictor<Strength, Kernels>::prefetch_symbol() const noexcept {
  mixer_.prefetch(2, end()[-1] >> Strength::last_group);
  for (std::uint32_t place = 0; place < 4; ++place)
    mixer_.prefetch(3, (std::uint32_t{end()[-2]} >> Strength::before_last_group) * 4 + place);
}

/// What the decision after the one at `node` needs. Children that are nodes have neighbouring
/// numbers, smaller than the marks of leaves; the wrong place for two leaves does no harm.
template <class Strength, class Kernels>
void predictor<Strength, Kernels>::prefetch_children(const token_tree::node& node) const noexcept {
  const std::uint32_t child =
      std::min(node.child[0], node.child[1]) & ~std::uint32_t{token_tree::leaf_mark};
  __builtin_prefetch(&(*tree_)[child]);
  __builtin_prefetch(node_probability_ + child);
  if (node_ < top_nodes / 2) {
    mixer_.prefetch(0, child);
    mixer_.prefetch(0, child + 1);
  }
}

/// Mixes the inputs and refines the result.
template <class Strength, class Kernels>
std::uint32_t predictor<Strength, Kernels>::finish_inputs(int depth, bool expected) noexcept {
  mixer_.mix();

  state_map_.select(static_cast<std::uint32_t>(match_class_ * 25 + std::min(depth, 23) + 1 +
                                               (expected ? 125 : 0)));
  const int by_state = state_map_.refine(mixer_.stretched());
  const int refined = (mixer_.probability() + by_state + 1) >> 1;
  return static_cast<std::uint32_t>(std::clamp(refined, 24, 65512));
}

template <class Strength, class Kernels>
void predictor<Strength, Kernels>::learn_common(bool bit) noexcept {
  mixer_.learn(bit);
  Kernels::update_cells(active_, bit);
  for (bit_counter* counter : counter_) counter->update(bit);
  for (std::size_t i = 0; i < matches; ++i)
    if (match_used_[i]) match_[i].learn(match_expects_[i] == bit);
  state_map_.learn(bit);
}

template <class Strength, class Kernels>
std::uint32_t predictor<Strength, Kernels>::guess_probability() noexcept {
  std::int32_t* x = mixer_.inputs();
  further_inputs further{};
  for (std::size_t i = 0; i < slot_contexts; ++i) {
    counter_[i] = guess_counters_ + (i << (64 - guess_shift_)) +
                  (hash_step(slot_hash_[i], guess_) >> guess_shift_);
    __builtin_prefetch(counter_[i]);
  }
  Kernels::match(candidates_, candidate_code(guess_), cell_bank(2), active_, x);
  order0_ = guess_probability_ + guess_;
  further[order0_input] = stretch(*order0_);
  match_class_ = match_[0].confidence_class();
  select_weights(top_nodes + max_guess_depth + last_facts().kind, guess_depth);
  for (std::size_t i = 0; i < matches; ++i) {
    match_used_[i] = match_[i].active();
    match_expects_[i] = match_used_[i] && match_[i].expected() == guess_;
    further[match_input + i] =
        match_used_[i] ? match_[i].input(match_expects_[i], match_expects_[i] ? 4 : 5) : 0;
  }
  for (std::size_t i = 0; i < outside_count; ++i)
    further[outside_place + i] = outside_[i].guess(guess_);
  for (std::size_t i = 0; i < slot_contexts; ++i)
    further[slot_input + i] = stretch(counter_[i]->probability());
  further[bias_place] = mixer_.bias_input;
  Kernels::store_inputs(further, x + lanes);
  return finish_inputs(guess_depth, match_expects_[0]);
}

template <class Strength, class Kernels>
void predictor<Strength, Kernels>::learn_guess(bool right) noexcept {
  learn_common(right);
  adapt(*order0_, right, 5);
  if (right) return;
  for (match_model& match : match_)
    if (match.expected() == guess_) match.rule_out();
  Kernels::drop(candidates_, candidate_code(guess_));
  guess_ = no_guess;
  start_tree();
}

template <class Strength, class Kernels>
std::uint32_t predictor<Strength, Kernels>::probability() noexcept {
  const token_tree::node node = (*tree_)[node_];
  prefetch_children(node);
  match_class_ = match_[0].confidence_class();
  select_weights(node_ < top_nodes ? node_ : top_nodes + std::min<std::uint32_t>(node.depth, 23),
                 node.depth);
  std::int32_t* x = mixer_.inputs();
  further_inputs further{};
  Kernels::split(candidates_, node.middle, cell_bank(node.depth < upper_depth ? 0 : 1), active_, x);
  order0_ = node_probability_ + node_;
  further[order0_input] = stretch(*order0_);
  for (std::size_t i = 0; i < slot_contexts; ++i) {
    counter_[i] = &slot_[i]->at(slot_position_);
    further[slot_input + i] = stretch(counter_[i]->probability());
  }
  for (std::size_t i = 0; i < matches; ++i) {
    match_used_[i] = match_[i].active();
    match_expects_[i] = match_used_[i] && match_[i].expected() >= node.middle;
    further[match_input + i] =
        match_used_[i] ? match_[i].input(match_expects_[i], match_place(node.depth)) : 0;
  }
  for (std::size_t i = 0; i < outside_count; ++i)
    further[outside_place + i] = outside_[i].at(node.middle);
  further[bias_place] = mixer_.bias_input;
  Kernels::store_inputs(further, x + lanes);
  return finish_inputs(node.depth, match_expects_[0]);
}

template <class Strength, class Kernels>
void predictor<Strength, Kernels>::learn(bool right) noexcept {
  const token_tree::node node = (*tree_)[node_];
  learn_common(right);
  adapt(*order0_, right, 6);
  Kernels::keep(candidates_, node.middle, right);
  for (std::size_t i = 0; i < matches; ++i)
    if (match_used_[i] && match_expects_[i] != right) match_[i].rule_out();
  for (outside_input& input : outside_) input.keep(right);

  node_ = node.child[right ? 1 : 0];
  slot_position_ = slot_position_ * 2 + (right ? 1 : 0);
  if ((node_ & token_tree::leaf_mark) != 0) return;
  if (slot_position_ >= 16) {
    enter_slots(slot_position_ & 3);
  } else if (slot_position_ >= 4 && slot_position_ < 8) {
    for (std::size_t i = 0; i < slot_contexts; ++i)
      bucket_[i] = slots_[i].fetch(hash_finish(hash_step(slot_hash_[i], node_)));
  }
}

/// Goes on with the slots of a node, which is one of four sisters that share a bucket.
template <class Strength, class Kernels>
void predictor<Strength, Kernels>::enter_slots(std::uint32_t sister) noexcept {
  slot_position_ = 1;
  for (std::size_t i = 0; i < slot_contexts; ++i)
    slot_[i] = &counter_slots::find(bucket_[i], sister);
}

template <class Strength, class Kernels>
bool predictor<Strength, Kernels>::by_chance(unsigned level) noexcept {
  chance_ = chance_ * 1664525 + 1013904223;
  return level == 0 || (level == 1 && chance_ >> 31 != 0) || (level == 2 && chance_ >> 30 == 0);
}

/// Moves `code` to the front of a line. Its level rises with probability 1, 1/2 and 1/4.
template <class Strength, class Kernels>
void predictor<Strength, Kernels>::update_line(candidate_line& line, std::uint16_t check,
                                               std::uint16_t code) noexcept {
  const auto fresh = static_cast<std::uint16_t>(code << 2);
  if (line.check != check) {
    line.check = check;
    line.entry = {};
    line.entry[0] = fresh;
    return;
  }
  if (line.entry[0] >> 2 == code) {
    if (by_chance(line.entry[0] & 3U)) ++line.entry[0];
    return;
  }
  std::size_t at = 1;
  while (at < candidate_line::size && line.entry[at] >> 2 != code) ++at;
  std::uint16_t entry = fresh;
  if (at == candidate_line::size) {
    --at;
  } else {
    entry = line.entry[at];
    if (by_chance(entry & 3U)) ++entry;
  }
  if ((line.entry[0] & 3) > 1) --line.entry[0];
  for (; at > 0; --at) line.entry[at] = line.entry[at - 1];
  line.entry[0] = entry;
}

template <class Strength, class Kernels>
void predictor<Strength, Kernels>::finish_symbol(std::uint32_t leaf) noexcept {
  const auto symbol = static_cast<std::uint16_t>(leaf);
  __builtin_prefetch(&symbols_->facts(leaf));
  for (outside_input& input : outside_) input.advance(leaf);
  for (match_model& match : match_) match.advance(history_, symbol);
  history_[count_++] = symbol;
  for (match_model& match : match_) match.prefetch(history_, count_);
  if constexpr (usual_lanes != 0) usual_.prefetch(end()[-2], end()[-1]);
  const std::uint16_t code = candidate_code(leaf);
  // The lines of the next symbol come into the cache while those of this one learn.
  const std::array<candidate_line*, line_contexts> line = line_;
  const std::array<std::uint16_t, lanes> check = line_check_;
  tracker_.template advance<Strength::uses_lines, Strength::uses_records>(
      end(), count_ - context_tracker::history_margin);
  locate_contexts();
  prefetch_symbol();
  for (std::size_t i = 0; i < line_contexts; ++i) update_line(*line[i], check[i], code);
  begin_symbol();
}

}  // namespace lmzip::model
