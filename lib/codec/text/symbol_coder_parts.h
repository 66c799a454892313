#pragma once

// What the files compiled for one instruction set share: everything here and below is compiled for
// the base instruction set.

#include <cstring>

#include "codec/text/symbol_coder.h"
#include "core/io/zeroed_memory.h"
#include "entropy/arithmetic_coder.h"
#include "lmzip/error.h"
#include "model/adaptive_map.h"
#include "model/candidate_set.h"
#include "model/context_tracker.h"
#include "model/counter_slots.h"
#include "model/kernels_scalar.h"
#include "model/match_model.h"
#include "model/neural/network_distribution.h"
#include "model/predictor_memory.h"

namespace lmzip::codec::text {

/// Codes a known symbol.
class symbol_writer {
 public:
  explicit symbol_writer(const model::token_tree& tree) : tree_(tree) {}

  void set(std::uint32_t leaf) noexcept { leaf_ = leaf; }
  bool code_guess(std::uint32_t guess, std::uint32_t probability) {
    coder_.encode(guess == leaf_, probability);
    return guess == leaf_;
  }
  bool code_node(std::uint32_t node, std::uint32_t probability) {
    const bool right = leaf_ >= tree_[node].middle;
    coder_.encode(right, probability);
    return right;
  }
  std::vector<std::byte> finish() { return coder_.finish(); }

 private:
  const model::token_tree& tree_;
  arithmetic_encoder coder_;
  std::uint32_t leaf_ = 0;
};

/// Finds out a symbol.
class symbol_reader {
 public:
  explicit symbol_reader(std::span<const std::byte> coded) : coder_(coded) {}

  bool code_guess(std::uint32_t, std::uint32_t probability) { return coder_.decode(probability); }
  bool code_node(std::uint32_t, std::uint32_t probability) { return coder_.decode(probability); }
  bool exhausted() const noexcept { return coder_.exhausted(); }

 private:
  arithmetic_decoder coder_;
};

}  // namespace lmzip::codec::text
