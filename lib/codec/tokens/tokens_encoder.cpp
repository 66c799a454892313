#include <algorithm>
#include <bit>

#include "codec/text/leaves.h"
#include "codec/tokens/token_coder.h"
#include "codec/tokens/tokens_codec.h"
#include "codec/tokens/tokens_data.h"

namespace lmzip::codec {
namespace tokens {
namespace {

/// Lines a context for so many tokens.
unsigned log2_lines_for(std::uint64_t count) {
  return std::clamp(static_cast<unsigned>(std::bit_width(count)), min_log2_lines, max_log2_lines);
}

token_setup setup_for(std::uint64_t count) {
  return {.data = &shipped_tokens_data(),
          .values = shipped_start_values(),
          .log2_lines = log2_lines_for(count)};
}

class tokens_encoder final : public encoder {
 public:
  std::string_view name() const noexcept override { return "tokens"; }

  std::uint64_t memory(std::uint64_t plain_bytes) const override {
    // Besides the coder's, the tokenizer's buffer, which becomes the leaves, and its memory.
    return encoder_memory(setup_for(plain_bytes), plain_bytes) + 3 * plain_bytes +
           (std::uint64_t{1} << 20);
  }

  std::uint64_t decoder_memory(std::uint64_t plain_bytes) const override {
    return tokens::decoder_memory(setup_for(plain_bytes), plain_bytes);
  }

  outlook estimate(std::span<const std::byte> sample) const override {
    return {encode(sample).coded.size(), undecided};
  }

  encoded encode_as(std::span<const std::byte> plain, std::uint32_t) const override {
    const auto leaves = text::leaves_of_tokens(plain);
    const token_setup setup = setup_for(leaves.size());
    return {{codec_id::tokens, 0, setup.log2_lines}, active_token_coder().encode(setup, leaves)};
  }
};

}  // namespace
}  // namespace tokens

std::unique_ptr<encoder> make_tokens_encoder() {
  return std::make_unique<tokens::tokens_encoder>();
}

}  // namespace lmzip::codec
