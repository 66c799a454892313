#include "vocab/pair_merger.h"

#include <algorithm>

namespace lmzip::vocab {
namespace {

std::uint32_t pair_of(token_id left, token_id right) noexcept {
  return std::uint32_t{left} << 16 | right;
}

}  // namespace

pair_merger::pair_merger() {
  for (unsigned b = 0; b < byte_tokens; ++b) {
    const auto byte = static_cast<std::uint8_t>(b);
    tokens_.add({&byte, 1});
    known_.emplace(1, static_cast<char>(b));
  }
}

void pair_merger::add(std::span<const std::uint8_t> bytes, std::uint64_t weight) {
  const auto index = static_cast<std::uint32_t>(pieces_.size());
  pieces_.push_back({symbols_.size(), bytes.size(), weight});
  symbols_.insert(symbols_.end(), bytes.begin(), bytes.end());
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    pair_state& state = pairs_[pair_of(bytes[i], bytes[i + 1])];
    state.weight += weight;
    if (state.pieces.empty() || state.pieces.back() != index) state.pieces.push_back(index);
  }
}

void pair_merger::merge_until(std::size_t tokens) {
  for (const auto& [which, state] : pairs_) candidates_.push({state.weight, which});
  while (tokens_.size() < tokens && !candidates_.empty()) {
    const candidate best = candidates_.top();
    candidates_.pop();
    const auto found = pairs_.find(best.which);
    if (found == pairs_.end() || found->second.weight == 0) continue;
    if (found->second.weight != best.weight) {
      candidates_.push({found->second.weight, best.which});
    } else if (add_token(best.which)) {
      merge(best.which, static_cast<token_id>(tokens_.size() - 1));
    } else {
      pairs_.erase(found);
    }
  }
}

/// Makes a token of the pair, unless it is too long or not new.
bool pair_merger::add_token(pair which) {
  const auto left = static_cast<token_id>(which >> 16);
  const auto right = static_cast<token_id>(which & 0xffff);
  std::string bytes(tokens_[left].begin(), tokens_[left].end());
  bytes.append(tokens_[right].begin(), tokens_[right].end());
  if (bytes.size() > max_token_bytes || !known_.insert(bytes).second) return false;
  merges_.add(left, right, static_cast<token_id>(tokens_.size()));
  tokens_.add({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  return true;
}

void pair_merger::merge(pair which, token_id merged) {
  const auto node = pairs_.extract(which);
  std::vector<pair> changed;
  for (const std::uint32_t index : node.mapped().pieces) rewrite(index, which, merged, changed);
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  for (const pair p : changed) candidates_.push({pairs_[p].weight, p});
}

/// Makes the merge in one piece. Appends the pairs that became heavier to `changed`.
void pair_merger::rewrite(std::uint32_t index, pair which, token_id merged,
                          std::vector<pair>& changed) {
  piece& p = pieces_[index];
  auto symbols = symbols_of(p);
  const auto has_pair = [&](std::size_t i) {
    return i + 1 < symbols.size() && pair_of(symbols[i], symbols[i + 1]) == which;
  };
  std::size_t first = 0;
  while (first < symbols.size() && !has_pair(first)) ++first;
  if (first == symbols.size()) return;

  for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
    const auto found = pairs_.find(pair_of(symbols[i], symbols[i + 1]));
    if (found != pairs_.end()) found->second.weight -= p.weight;
  }
  std::size_t out = first;
  for (std::size_t in = first; in < symbols.size(); ++out) {
    const bool here = has_pair(in);
    symbols[out] = here ? merged : symbols[in];
    in += here ? 2 : 1;
  }
  p.length = out;
  symbols = symbols_of(p);
  for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
    const pair now = pair_of(symbols[i], symbols[i + 1]);
    const bool is_new = symbols[i] == merged || symbols[i + 1] == merged;
    const auto found = is_new ? pairs_.try_emplace(now).first : pairs_.find(now);
    if (found == pairs_.end()) continue;  // merged before, or left alone for good
    found->second.weight += p.weight;
    if (is_new) {
      found->second.pieces.push_back(index);
      changed.push_back(now);
    }
  }
}

}  // namespace lmzip::vocab
