#include "app/train/chance_measure.h"

#include <algorithm>
#include <optional>

#include "app/train/network_coder.h"
#include "core/io/signals.h"

namespace lmzip::train {
namespace {

using torch::Tensor;

/// Tokens at once: so many rows of all leaves stay near the processor.
constexpr std::size_t window_tokens = 64;

Tensor numbers_of(std::span<const std::uint16_t> leaves) {
  const Tensor numbers = torch::empty({static_cast<std::int64_t>(leaves.size())}, torch::kInt64);
  std::copy(leaves.begin(), leaves.end(), numbers.data_ptr<std::int64_t>());
  return numbers;
}

double sum_of(const Tensor& values) { return values.sum(torch::kFloat64).item<double>(); }

}  // namespace

void write_chances(model::symbol_distribution& source, std::uint32_t leaves, float* to) {
  leaf_frequencies frequencies(source, leaves);
  std::uint32_t low = 0;
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
    const std::uint32_t high = frequencies.below(leaf + 1);
    to[leaf] = static_cast<float>(high - low);
    low = high;
  }
}

void add_chances(const Tensor& log_chances, const Tensor& leaves, chance_sums& to) {
  to.tokens += static_cast<std::uint64_t>(leaves.size(0));
  to.nats -= sum_of(log_chances.gather(1, leaves.unsqueeze(1)));
  to.entropy_nats -= sum_of((log_chances.exp() * log_chances).sum(1));
}

chance_measure::chance_measure(const model::neural::language_model* integer,
                               language_model* floating, torch::Device device)
    : integer_(integer), floating_(floating), device_(device) {}

text_chances chance_measure::measure(std::span<const std::uint16_t> block,
                                     const std::function<void(double)>& on_progress) const {
  const torch::NoGradGuard no_gradient;
  text_chances result;
  std::optional<model::neural::network_distribution> source;
  if (integer_ != nullptr) source.emplace(*integer_, block, false);
  body_state state;
  if (floating_ != nullptr) state = floating_->start(1);
  for (std::size_t begin = 0; begin < block.size(); begin += window_tokens) {
    io::throw_if_interrupted();
    const std::size_t count = std::min(window_tokens, block.size() - begin);
    const Tensor leaves = numbers_of(block.subspan(begin, count));
    Tensor whole, rounded;
    if (source) {
      rounded = integer_rows(*source, block.subspan(begin, count));
      add_chances(rounded, leaves, result.integer);
    }
    if (floating_ != nullptr) {
      whole = floating_rows(block, begin, count, state);
      add_chances(whole, leaves, result.floating);
    }
    if (whole.defined() && rounded.defined())
      result.divergence_nats += sum_of((whole.exp() * (whole - rounded)).sum(1));
    on_progress(static_cast<double>(begin + count) / static_cast<double>(block.size()));
  }
  return result;
}

Tensor chance_measure::integer_rows(model::neural::network_distribution& source,
                                    std::span<const std::uint16_t> leaves) const {
  const std::uint32_t all = integer_->classes().leaves();
  Tensor rows = torch::empty({static_cast<std::int64_t>(leaves.size()), all});
  float* row = rows.data_ptr<float>();
  for (const std::uint16_t leaf : leaves) {
    write_chances(source, all, row);
    source.advance(leaf);
    row += all;
  }
  return rows.div_(static_cast<double>(leaf_frequencies::total)).log_();
}

Tensor chance_measure::floating_rows(std::span<const std::uint16_t> block, std::size_t begin,
                                     std::size_t count, body_state& state) const {
  const auto start = static_cast<std::uint16_t>(floating_->start_symbol());
  std::vector<std::uint16_t> before;
  for (std::size_t i = begin; i < begin + count; ++i)
    before.push_back(i == 0 ? start : block[i - 1]);
  const window w{
      numbers_of(before).to(device_), {}, torch::full({1}, begin == 0, torch::kBool).to(device_)};
  return floating_->log_chances(w, state, static_cast<std::int64_t>(count)).cpu();
}

}  // namespace lmzip::train
