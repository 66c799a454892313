#include "app/train/network_coder.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "codec/text/leaves.h"
#include "codec/text/text_data.h"
#include "core/io/signals.h"
#include "lmzip/error.h"
#include "model/neural/network_distribution.h"

namespace lmzip::train {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point begin) {
  return std::chrono::duration<double>(clock::now() - begin).count();
}

/// A distribution that adds up the time spent in it.
class timed_distribution final : public model::symbol_distribution {
 public:
  explicit timed_distribution(model::symbol_distribution& source) : source_(source) {}

  std::uint64_t total() override { return source_.total(); }
  std::uint64_t mass_below(std::uint32_t leaf) override {
    const auto begin = clock::now();
    const std::uint64_t mass = source_.mass_below(leaf);
    seconds_ += seconds_since(begin);
    return mass;
  }
  void keep(bool above) override { source_.keep(above); }
  void advance(std::uint32_t leaf) override {
    const auto begin = clock::now();
    source_.advance(leaf);
    seconds_ += seconds_since(begin);
  }

  double seconds() const noexcept { return seconds_; }

 private:
  model::symbol_distribution& source_;
  double seconds_ = 0;
};

constexpr std::uint32_t tokens_between_looks_at_signals = 1024;

class alone_coder {
 public:
  alone_coder(const model::neural::language_model& network, bool adapts)
      : network_(network), adapts_(adapts), tree_(codec::text::token_alphabet().tree()) {}

  void encode_block(std::span<const std::byte> plain, std::vector<std::byte>& to) {
    const auto leaves = codec::text::leaves_of_tokens(plain);
    model::neural::network_distribution network(network_, leaves, adapts_);
    timed_distribution timed(network);
    arithmetic_encoder coder;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      look_at_signals(i);
      leaf_frequencies frequencies(timed, tree_.leaf_count());
      const std::uint32_t leaf = leaves[i];
      encode_leaf(
          coder, tree_, frequencies.total, [&](std::uint32_t l) { return frequencies.below(l); },
          leaf);
      const std::uint32_t frequency = frequencies.below(leaf + 1) - frequencies.below(leaf);
      coding_.chances.nats -= std::log(static_cast<double>(frequency) / frequencies.total);
      timed.advance(leaf);
    }
    coding_.chances.tokens += leaves.size();
    coding_.result.coded_tokens += leaves.size();
    coding_.result.encode_network_seconds += timed.seconds();
    const auto coded = coder.finish();
    put_number(to, leaves.size());
    put_number(to, coded.size());
    to.insert(to.end(), coded.begin(), coded.end());
  }

  std::vector<std::byte> decode_block(std::span<const std::byte>& from) {
    const std::uint64_t tokens = take_number(from);
    const std::uint64_t bytes = take_number(from);
    arithmetic_decoder coder(take_bytes(from, bytes));
    model::neural::network_distribution network(network_, {}, adapts_);
    timed_distribution timed(network);
    std::vector<std::uint16_t> leaves;
    for (std::uint64_t i = 0; i < tokens; ++i) {
      look_at_signals(i);
      leaf_frequencies frequencies(timed, tree_.leaf_count());
      const std::uint32_t leaf = decode_leaf(coder, tree_, frequencies.total,
                                             [&](std::uint32_t l) { return frequencies.below(l); });
      leaves.push_back(static_cast<std::uint16_t>(leaf));
      timed.advance(leaf);
    }
    coding_.result.decode_network_seconds += timed.seconds();
    return text_of_leaves(leaves);
  }

  network_coding& coding() noexcept { return coding_; }

 private:
  static void look_at_signals(std::uint64_t token) {
    if (token % tokens_between_looks_at_signals == 0) io::throw_if_interrupted();
  }

  const model::neural::language_model& network_;
  bool adapts_;
  const model::token_tree& tree_;
  network_coding coding_;
};

}  // namespace

leaf_frequencies::leaf_frequencies(model::symbol_distribution& source, std::uint32_t leaves)
    : source_(source), leaves_(leaves) {
  source.mass_below(0);  // so that the time of computing it is known
  share_ = (std::uint64_t{total - leaves} << 32) / source.total();
}

std::uint32_t leaf_frequencies::below(std::uint32_t leaf) {
  if (leaf == leaves_) return total;
  // Masses are below 2^41 and at most their total, so that the product is below 2^60.
  return leaf + static_cast<std::uint32_t>(source_.mass_below(leaf) * share_ >> 32);
}

std::uint32_t coder_probability(std::uint32_t frequency, std::uint32_t of) {
  constexpr std::uint64_t most = 65535;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>((std::uint64_t{frequency} << 16) / of, 1, most));
}

void put_number(std::vector<std::byte>& to, std::uint64_t value) {
  for (; value >= 128; value >>= 7) to.push_back(static_cast<std::byte>(value | 128));
  to.push_back(static_cast<std::byte>(value));
}

std::uint64_t take_number(std::span<const std::byte>& from) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(take_bytes(from, 1).front());
    value |= (byte & 127) << shift;
    if (byte < 128) return value;
  }
  throw error(errc::damaged, "a number that is too large");
}

std::span<const std::byte> take_bytes(std::span<const std::byte>& from, std::uint64_t count) {
  if (count > from.size()) throw error(errc::truncated, "ends too early");
  const auto taken = from.first(static_cast<std::size_t>(count));
  from = from.subspan(taken.size());
  return taken;
}

std::vector<std::byte> text_of_leaves(std::span<const std::uint16_t> leaves) {
  const model::alphabet& words = codec::text::token_alphabet();
  std::vector<std::byte> text;
  for (const std::uint16_t leaf : leaves) {
    const auto bytes = std::as_bytes(words.bytes(leaf));
    text.insert(text.end(), bytes.begin(), bytes.end());
  }
  return text;
}

std::uint64_t equal_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += a[i] == b[i] ? 1 : 0;
  return count;
}

network_coding code_alone(const model::neural::language_model& network,
                          std::span<const std::byte> text, std::uint64_t block_bytes, bool adapts) {
  alone_coder coder(network, adapts);
  coding_result& result = coder.coding().result;
  std::vector<std::byte> coded, decoded;
  auto begin = clock::now();
  for (auto rest = text; !rest.empty();)
    coder.encode_block(take_bytes(rest, std::min<std::uint64_t>(block_bytes, rest.size())), coded);
  result.encode_seconds = seconds_since(begin);
  result.coded_bytes = coded.size();
  begin = clock::now();
  for (std::span<const std::byte> rest = coded; !rest.empty();) {
    const auto block = coder.decode_block(rest);
    decoded.insert(decoded.end(), block.begin(), block.end());
  }
  result.decode_seconds = seconds_since(begin);
  result.equal_bytes = equal_bytes(text, decoded);
  return coder.coding();
}

}  // namespace lmzip::train
