#include "codec/tokens/value_trainer.h"

#include <algorithm>
#include <cstring>

#include "codec/text/leaves.h"
#include "codec/tokens/token_coder.h"
#include "codec/tokens/token_setup.h"
#include "codec/tokens/tokens_data.h"

namespace lmzip::codec::tokens {
namespace {

constexpr std::size_t training_block_bytes = std::size_t{256} << 10;
constexpr unsigned training_log2_lines = 16;

/// By so much of the text the rows of the nodes are good enough for those of the groups to start
/// from.
constexpr std::size_t spread_after = 4;

/// What is learned follows the last block closely, the mean over many does not: 0.3 % smaller, and
/// 1 % in blocks of 64 KiB. It is taken from here on.
constexpr std::size_t mean_after = 2;

/// The mean of value images, number by number.
class value_mean {
 public:
  explicit value_mean(const value_layout& layout)
      : wide_begin_(layout.wide_begin()), sums_(layout.bytes() / sizeof(std::uint16_t)) {}

  void add(std::span<const std::byte> image) {
    for_each_number(image.size(), [&]<class Number>(std::size_t offset, Number) {
      Number value;
      std::memcpy(&value, image.data() + offset, sizeof value);
      sums_[offset / sizeof(std::uint16_t)] += value;
    });
    ++images_;
  }

  /// After at least one image.
  std::vector<std::byte> image() const {
    std::vector<std::byte> mean(sums_.size() * sizeof(std::uint16_t));
    for_each_number(mean.size(), [&]<class Number>(std::size_t offset, Number) {
      const auto value = static_cast<Number>(sums_[offset / sizeof(std::uint16_t)] / images_);
      std::memcpy(mean.data() + offset, &value, sizeof value);
    });
    return mean;
  }

 private:
  template <class Visit>
  void for_each_number(std::size_t bytes, Visit visit) const {
    for (std::size_t at = 0; at < wide_begin_; at += sizeof(std::uint16_t))
      visit(at, std::uint16_t{});
    for (std::size_t at = wide_begin_; at < bytes; at += sizeof(std::int32_t))
      visit(at, std::int32_t{});
  }

  std::size_t wide_begin_;
  std::vector<std::int64_t> sums_;  ///< by offset in units of 16 bits
  std::int64_t images_ = 0;
};

}  // namespace

std::vector<std::uint8_t> train_values(std::span<const std::byte> text,
                                       const std::function<void(std::size_t)>& on_progress) {
  std::vector<std::byte> joined;
  joined.reserve(text.size());
  std::copy_if(text.begin(), text.end(), std::back_inserter(joined),
               [](std::byte b) { return b != std::byte{0}; });
  const tokens_data& data = shipped_tokens_data();
  const value_layout& layout = data.layout();
  std::vector<std::byte> values = layout.untrained();
  value_mean mean(layout);
  bool spread = false;
  for (std::size_t start = 0; start < joined.size(); start += training_block_bytes) {
    const auto block = std::span<const std::byte>(joined).subspan(
        start, std::min(training_block_bytes, joined.size() - start));
    const token_setup setup{.data = &data, .values = values, .log2_lines = training_log2_lines};
    std::vector<std::byte> learned(values.size());
    active_token_coder().train(setup, text::leaves_of_tokens(block), learned);
    values = std::move(learned);
    if (!spread && start + block.size() >= joined.size() / spread_after) {
      layout.spread_rows(values);
      spread = true;
    }
    if (start + block.size() >= joined.size() / mean_after) mean.add(values);
    if (on_progress) on_progress(start + block.size());
  }
  return layout.quantise(joined.empty() ? values : mean.image());
}

}  // namespace lmzip::codec::tokens
