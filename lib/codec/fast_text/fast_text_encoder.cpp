#include "codec/fast_text/fast_text_encoder.h"

#include <algorithm>
#include <array>
#include <bit>

#include "codec/bwt/bwt_codec.h"
#include "codec/text/leaves.h"
#include "codec/tokens/tokens_codec.h"

namespace lmzip::codec {
namespace {

// Who lets encode() choose gets a choice by so much from the middle of the block.
constexpr std::size_t trial_bytes = std::size_t{48} << 10;

// In samples as small as those of small blocks, trying takes long against coding the block. It is
// left out where tokens are long and most bytes are ASCII: on the training text in blocks of
// 64 KiB, tokens are smaller there.
constexpr std::size_t small_sample_bytes = std::size_t{11} << 10;
constexpr std::size_t long_tokens = 300;  // bytes in 100 tokens

// Sorting gains more than tokens do from the rest of a block where that is prose: measured on the
// training text by kind, 11 % from a sample to 31 times as much, and nothing in code and tables.
constexpr std::uint64_t prose_gain = 22;  // thousandths for each doubling

/// What a sample tells, packed in an outlook's choice.
struct trial {
  std::uint32_t ratio = 0;  ///< size as tokens in thousandths of the size sorted, at least 1
  std::uint32_t log2_bytes = 0;
  bool prose = false;

  static constexpr std::uint32_t max_ratio = 65535;

  std::uint32_t pack() const noexcept {
    return std::clamp<std::uint32_t>(ratio, 1, max_ratio) | log2_bytes << 16 |
           static_cast<std::uint32_t>(prose) << 24;
  }
  static trial unpack(std::uint32_t choice) noexcept {
    return {choice & max_ratio, choice >> 16 & 255, (choice >> 24 & 1) != 0};
  }

  /// Whether sorting promises to make a block of so many bytes smaller.
  bool sorts(std::uint64_t plain_bytes) const noexcept {
    if (plain_bytes > max_bwt_block_bytes) return false;
    const auto log2_block = static_cast<std::uint32_t>(std::bit_width(plain_bytes));
    const std::uint64_t doublings = log2_block > log2_bytes ? log2_block - log2_bytes : 0;
    return ratio * (1000 + (prose ? prose_gain * doublings : 0)) > std::uint64_t{1000} * 1000;
  }
};

struct byte_shares {
  std::size_t words = 0;  ///< letters, spaces and everything beyond ASCII
  std::size_t digits = 0;
  std::size_t foreign = 0;  ///< beyond ASCII
};

byte_shares count_shares(std::span<const std::byte> sample) noexcept {
  std::array<std::size_t, 256> count{};
  for (const std::byte b : sample) ++count[static_cast<std::size_t>(b)];
  byte_shares shares;
  for (std::size_t c = 0; c < 256; ++c) {
    const bool letter = (c | 32) >= 'a' && (c | 32) <= 'z';
    if (c >= '0' && c <= '9') shares.digits += count[c];
    if (c >= 128) shares.foreign += count[c];
    if (letter || c == ' ' || c == '\n' || c >= 128) shares.words += count[c];
  }
  return shares;
}

class fast_text_encoder final : public encoder {
 public:
  std::string_view name() const noexcept override { return "fast text"; }

  std::uint64_t memory(std::uint64_t plain_bytes) const override {
    return std::max(tokens_->memory(plain_bytes),
                    bwt_->memory(std::min(plain_bytes, max_bwt_block_bytes)));
  }

  std::uint64_t decoder_memory(std::uint64_t plain_bytes) const override {
    return std::max(tokens_->decoder_memory(plain_bytes),
                    bwt_->decoder_memory(std::min(plain_bytes, max_bwt_block_bytes)));
  }

  outlook estimate(std::span<const std::byte> sample) const override {
    const byte_shares shares = count_shares(sample);
    const std::uint64_t as_tokens = tokens_->estimate(sample).coded_bytes;
    trial result{.ratio = 1,
                 .log2_bytes = static_cast<std::uint32_t>(std::bit_width(sample.size())),
                 .prose = shares.words * 100 > sample.size() * 88 &&
                          shares.digits * 100 < sample.size() * 8};
    if (sample.size() < small_sample_bytes && shares.foreign * 4 < sample.size() &&
        sample.size() * 100 >= text::leaves_of_tokens(sample).size() * long_tokens)
      return {as_tokens, result.pack()};
    const std::uint64_t sorted = std::max<std::uint64_t>(bwt_->estimate(sample).coded_bytes, 1);
    result.ratio = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(as_tokens * 1000 / sorted, trial::max_ratio));
    return {std::min(as_tokens, sorted), result.pack()};
  }

  encoded encode_as(std::span<const std::byte> plain, std::uint32_t choice) const override {
    if (choice == undecided) {
      const std::size_t size = std::min(plain.size(), trial_bytes);
      choice = estimate(plain.subspan((plain.size() - size) / 2, size)).choice;
    }
    return (trial::unpack(choice).sorts(plain.size()) ? bwt_ : tokens_)->encode(plain);
  }

 private:
  std::unique_ptr<const encoder> tokens_ = make_tokens_encoder();
  std::unique_ptr<const encoder> bwt_ = make_bwt_encoder();
};

}  // namespace

std::unique_ptr<encoder> make_fast_text_encoder() { return std::make_unique<fast_text_encoder>(); }

}  // namespace lmzip::codec
