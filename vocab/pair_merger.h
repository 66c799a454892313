#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "vocab/format.h"
#include "vocab/merge_table.h"
#include "vocab/token_strings.h"

namespace lmzip::vocab {

/// The heart of the trainer: byte-pair encoding of a set of weighted pieces, one merge at a time.
class pair_merger {
 public:
  pair_merger();

  /// Adds a piece of up to max_piece_bytes bytes that occurs `weight` times. Before merge_until().
  void add(std::span<const std::uint8_t> piece, std::uint64_t weight);

  /// Merges the heaviest pair, that of the lowest numbers first among equals, until there are
  /// `tokens` tokens or no pair is left. Pairs that would make a token a second time or a longer
  /// one than max_token_bytes are left alone.
  void merge_until(std::size_t tokens);

  const token_strings& tokens() const noexcept { return tokens_; }
  const merge_table& merges() const noexcept { return merges_; }

 private:
  using pair = std::uint32_t;  // left token << 16 | right token

  struct piece {
    std::size_t offset;  // of its tokens in symbols_
    std::size_t length;  // in tokens
    std::uint64_t weight;
  };
  struct pair_state {
    std::uint64_t weight = 0;
    std::vector<std::uint32_t> pieces;  // those that have the pair, or had it once
  };
  struct candidate {
    std::uint64_t weight;  // may be out of date: an upper bound
    pair which;
    bool operator<(const candidate& other) const noexcept {
      return weight != other.weight ? weight < other.weight : which > other.which;
    }
  };

  std::span<token_id> symbols_of(const piece& p) noexcept {
    return {symbols_.data() + p.offset, p.length};
  }
  bool add_token(pair which);
  void merge(pair which, token_id merged);
  void rewrite(std::uint32_t index, pair which, token_id merged, std::vector<pair>& changed);

  std::vector<token_id> symbols_;
  std::vector<piece> pieces_;
  std::unordered_map<pair, pair_state> pairs_;
  std::priority_queue<candidate> candidates_;
  std::unordered_set<std::string> known_;
  token_strings tokens_;
  merge_table merges_;
};

}  // namespace lmzip::vocab
