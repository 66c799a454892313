#include "app/train/smu_windows.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <optional>

#include "app/train/chance_measure.h"
#include "app/train/network_coder.h"
#include "codec/text/leaves.h"
#include "codec/text/text_data.h"
#include "core/io/signals.h"
#include "lmzip/error.h"
#include "model/neural/network_distribution.h"

namespace lmzip::train {
namespace {

using torch::Tensor;
using clock = std::chrono::steady_clock;
using window_list = std::span<const std::span<const std::uint16_t>>;

double seconds_since(clock::time_point begin) {
  return std::chrono::duration<double>(clock::now() - begin).count();
}

class integer_windows final : public window_model {
 public:
  explicit integer_windows(const model::neural::language_model& network) : network_(network) {}

  Tensor log_chances(window_list windows) override {
    const std::uint32_t leaves = network_.classes().leaves();
    Tensor rows = torch::empty({static_cast<std::int64_t>(windows.size()), leaves});
    float* row = rows.data_ptr<float>();
    for (const auto& window : windows) {
      // The body runs on all tokens of a known text at once; the last one is never looked at.
      std::vector<std::uint16_t> known(window.begin(), window.end());
      known.push_back(0);
      model::neural::network_distribution source(network_, known, false);
      for (const std::uint16_t leaf : window) source.advance(leaf);
      write_chances(source, leaves, row);
      row += leaves;
    }
    return rows.div_(static_cast<double>(leaf_frequencies::total)).log_();
  }

 private:
  const model::neural::language_model& network_;
};

class floating_windows final : public window_model {
 public:
  floating_windows(language_model& network, torch::Device device)
      : network_(network), device_(device) {}

  Tensor log_chances(window_list windows) override {
    const torch::NoGradGuard no_gradient;
    const auto streams = static_cast<std::int64_t>(windows.size());
    const auto steps = static_cast<std::int64_t>(windows.front().size()) + 1;
    const Tensor inputs = torch::empty({steps, streams}, torch::kInt64);
    auto at = inputs.data_ptr<std::int64_t>();
    for (std::int64_t b = 0; b < streams; ++b) *at++ = network_.start_symbol();
    for (std::size_t t = 0; t < windows.front().size(); ++t)
      for (const auto& window : windows) *at++ = window[t];
    body_state state = network_.start(streams);
    const window w{
        inputs.view({-1}).to(device_), {}, torch::ones({streams}, torch::kBool).to(device_)};
    return network_.log_chances(w, state, 1).cpu().contiguous();
  }

 private:
  language_model& network_;
  torch::Device device_;
};

/// Places of the text where streams begin, and its end.
std::array<std::size_t, smu_streams + 1> cut(std::size_t tokens) {
  std::array<std::size_t, smu_streams + 1> begin;
  for (std::size_t i = 0; i <= smu_streams; ++i) begin[i] = tokens * i / smu_streams;
  return begin;
}

/// The tokens that are guessed at once: of one place in all streams.
struct batch {
  std::size_t step;  ///< tokens of each stream that came before
  std::vector<std::size_t> streams, places;
  Tensor log_chances;
};

/// Goes through all streams side by side. `look(batch)` sees what is guessed of each place, and
/// then `code(batch, number in it, sums of frequencies)` gives the leaf.
template <class looking, class coding>
void go_through(std::span<std::uint16_t> leaves, window_model& model, const looking& look,
                const coding& code, const std::function<void(double)>& on_progress) {
  const auto begin = cut(leaves.size());
  const std::size_t longest = (leaves.size() + smu_streams - 1) / smu_streams;
  for (std::size_t t = 0; t < longest; ++t) {
    io::throw_if_interrupted();
    batch now{t, {}, {}, {}};
    std::vector<std::span<const std::uint16_t>> windows;
    const std::size_t seen = std::min(t, smu_context);
    for (std::size_t s = 0; s < smu_streams; ++s) {
      const std::size_t place = begin[s] + t;
      if (place >= begin[s + 1]) continue;
      now.streams.push_back(s);
      now.places.push_back(place);
      windows.push_back(leaves.subspan(place - seen, seen));
    }
    now.log_chances = model.log_chances(windows);
    look(now);
    const Tensor chances = now.log_chances.exp();
    const auto width = static_cast<std::size_t>(chances.size(1));
    for (std::size_t i = 0; i < now.places.size(); ++i) {
      const auto sums = smu_frequencies({chances.data_ptr<float>() + i * width, width}, smu_total);
      leaves[now.places[i]] = static_cast<std::uint16_t>(code(now, i, sums));
    }
    on_progress(static_cast<double>(t + 1) / static_cast<double>(longest));
  }
}

/// The coded parts of a text: first tokens of all streams together, then each stream's others.
using coded_parts = std::array<std::vector<std::byte>, 1 + smu_streams>;

std::size_t part_of(const batch& now, std::size_t number) {
  return now.step < smu_context ? 0 : 1 + now.streams[number];
}

coded_parts encode(std::vector<std::uint16_t> leaves, window_model& model, chance_sums& chances,
                   const std::function<void(double)>& on_progress) {
  const model::token_tree& tree = codec::text::token_alphabet().tree();
  std::array<arithmetic_encoder, 1 + smu_streams> coders;
  const auto look = [&](const batch& now) {
    if (now.step < smu_context) return;
    std::vector<std::int64_t> right;
    for (const std::size_t place : now.places) right.push_back(leaves[place]);
    add_chances(now.log_chances, torch::tensor(right), chances);
  };
  const auto code = [&](const batch& now, std::size_t i, const std::vector<std::uint32_t>& sums) {
    const std::uint32_t leaf = leaves[now.places[i]];
    encode_leaf(
        coders[part_of(now, i)], tree, smu_total, [&](std::uint32_t l) { return sums[l]; }, leaf);
    return leaf;
  };
  go_through(leaves, model, look, code, on_progress);
  coded_parts parts;
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = coders[i].finish();
  return parts;
}

std::vector<std::uint16_t> decode(const coded_parts& parts, std::size_t tokens, window_model& model,
                                  const std::function<void(double)>& on_progress) {
  const model::token_tree& tree = codec::text::token_alphabet().tree();
  std::vector<arithmetic_decoder> coders(parts.begin(), parts.end());
  std::vector<std::uint16_t> leaves(tokens);
  const auto code = [&](const batch& now, std::size_t i, const std::vector<std::uint32_t>& sums) {
    return decode_leaf(coders[part_of(now, i)], tree, smu_total,
                       [&](std::uint32_t l) { return sums[l]; });
  };
  go_through(
      leaves, model, [](const batch&) {}, code, on_progress);
  return leaves;
}

/// Bytes that decoding needs to know besides the parts.
std::size_t header_bytes(const coded_parts& parts, std::size_t tokens) {
  std::vector<std::byte> header;
  put_number(header, tokens);
  for (const auto& part : parts) put_number(header, part.size());
  return header.size();
}

}  // namespace

std::unique_ptr<window_model> windows_of(const model::neural::language_model& network) {
  return std::make_unique<integer_windows>(network);
}

std::unique_ptr<window_model> windows_of(language_model& network, torch::Device device) {
  return std::make_unique<floating_windows>(network, device);
}

std::vector<std::uint32_t> smu_frequencies(std::span<const float> chances, std::uint32_t total) {
  const std::size_t leaves = chances.size();
  const double scale = total - static_cast<double>(leaves);
  std::vector<std::uint32_t> sums(leaves + 1);
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < leaves; ++i)
    sum += sums[i + 1] = static_cast<std::uint32_t>(chances[i] * scale) + 1;
  std::vector<std::uint32_t> order;
  const bool too_few = sum < total;
  std::uint32_t rest = too_few ? total - sum : sum - total;
  if (rest > 0) {
    order.resize(leaves);
    std::iota(order.begin(), order.end(), 0U);
    const auto more = [&](std::uint32_t a, std::uint32_t b) {
      return chances[a] != chances[b] ? chances[a] > chances[b] : a < b;
    };
    const auto part = static_cast<std::ptrdiff_t>(std::min<std::size_t>(rest, leaves));
    std::nth_element(order.begin(), order.begin() + part - 1, order.end(), more);
    order.resize(static_cast<std::size_t>(part));
  }
  // Rounding can make the chances more than 1 together: then the most probable give.
  for (std::size_t i = 0; rest > 0; i = (i + 1) % order.size()) {
    std::uint32_t& frequency = sums[order[i] + 1];
    if (!too_few && frequency == 1) continue;
    too_few ? ++frequency : --frequency;
    --rest;
  }
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  return sums;
}

std::vector<std::byte> smu_text(std::span<const std::byte> text) {
  std::vector<std::byte> joined;
  for (std::size_t i = 0; i < text.size(); ++i) {
    joined.push_back(text[i]);
    if (text[i] == std::byte{'\n'} && i + 1 < text.size()) joined.push_back(std::byte{' '});
  }
  return joined;
}

smu_result code_by_windows(std::span<const std::byte> text, window_model& model,
                           const std::function<void(double)>& on_progress) {
  const auto leaves = codec::text::leaves_of_tokens(text);
  if (leaves.size() <= smu_context * smu_streams)
    throw error(errc::usage, "too short for --smu, which leaves out its first 8192 tokens");
  smu_result result;
  std::uint64_t left_out_tokens = 0;
  const auto begin = cut(leaves.size());
  for (std::size_t s = 0; s < smu_streams; ++s) {
    const std::size_t count = std::min(smu_context, begin[s + 1] - begin[s]);
    left_out_tokens += count;
    result.left_out_bytes += text_of_leaves(std::span(leaves).subspan(begin[s], count)).size();
  }
  auto clock_start = clock::now();
  const coded_parts parts =
      encode(leaves, model, result.chances, [&](double part) { on_progress(part / 2); });
  result.all.encode_seconds = seconds_since(clock_start);
  clock_start = clock::now();
  const auto decoded =
      decode(parts, leaves.size(), model, [&](double part) { on_progress(0.5 + part / 2); });
  result.all.decode_seconds = seconds_since(clock_start);
  result.all.equal_bytes = equal_bytes(text, text_of_leaves(decoded));
  result.all.coded_tokens = leaves.size();
  result.all.coded_bytes = header_bytes(parts, leaves.size());
  result.usual = result.all;
  result.usual.coded_tokens -= left_out_tokens;
  result.usual.coded_bytes = 0;
  for (const auto& part : parts) result.all.coded_bytes += part.size();
  for (std::size_t i = 1; i < parts.size(); ++i) result.usual.coded_bytes += parts[i].size();
  return result;
}

}  // namespace lmzip::train
