#include "codec/tokens/value_trainer.h"

#include <algorithm>

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
    if (on_progress) on_progress(start + block.size());
  }
  return layout.quantise(values);
}

}  // namespace lmzip::codec::tokens
