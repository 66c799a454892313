#include <algorithm>
#include <bit>

#include "codec/text/leaves.h"
#include "codec/text/text_codec.h"
#include "codec/text/text_data.h"
#include "codec/text/text_parameters.h"
#include "codec/text/x86_filter.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace text {
namespace {

/// A trial codes this much of a block in this many pieces spread over it.
constexpr std::size_t trial_pieces = 3;
constexpr std::size_t trial_piece_bytes = std::size_t{16} << 10;

/// Lines a context for a block: enough for its symbols, within what the strength allows.
unsigned log2_lines_for(const symbol_coder& coder, std::uint64_t plain_bytes, bool bytes) {
  const std::uint64_t expected_symbols = bytes ? plain_bytes : plain_bytes / 3;
  return std::clamp(static_cast<unsigned>(std::bit_width(expected_symbols)), min_log2_lines,
                    coder.max_log2_lines);
}

encoded encode_as(text_parameters p, std::span<const std::byte> plain) {
  p.log2_lines = log2_lines_for(p.coder(), plain.size(), p.bytes);
  std::vector<std::byte> filtered;
  if (p.x86) {
    filtered.assign(plain.begin(), plain.end());
    x86_forward(filtered);
    plain = filtered;
  }
  const auto leaves = p.bytes ? leaves_of_bytes(plain) : leaves_of_tokens(plain);
  return {{codec_id::text, 0, p.pack()}, p.coder().encode(p.setup(plain.size()), leaves)};
}

/// Pieces of the block, joined: enough to compare ways of coding.
std::vector<std::byte> sample(std::span<const std::byte> plain) {
  if (plain.size() <= trial_pieces * trial_piece_bytes) return {plain.begin(), plain.end()};
  std::vector<std::byte> pieces;
  for (std::size_t i = 0; i < trial_pieces; ++i) {
    const std::size_t start = (plain.size() - trial_piece_bytes) / (trial_pieces + 1) * (i + 1);
    const auto piece = plain.subspan(start, trial_piece_bytes);
    pieces.insert(pieces.end(), piece.begin(), piece.end());
  }
  return pieces;
}

struct trial {
  text_parameters best;
  std::uint64_t coded_bytes;  ///< expected for the whole block
};

trial try_modes(int strength, std::span<const std::byte> plain) {
  const std::vector<std::byte> part = sample(plain);
  const text_parameters tokens{.strength = strength};
  const text_parameters bytes{.strength = strength, .bytes = true, .x86 = looks_like_x86(plain)};
  const std::size_t token_size = encode_as(tokens, part).coded.size();
  const std::size_t byte_size = encode_as(bytes, part).coded.size();
  const double scale = static_cast<double>(plain.size()) / static_cast<double>(part.size());
  const auto whole =
      static_cast<std::uint64_t>(static_cast<double>(std::min(token_size, byte_size)) * scale);
  return {token_size <= byte_size ? tokens : bytes, whole};
}

class text_encoder final : public encoder {
 public:
  explicit text_encoder(int strength) : strength_(strength) {}

  std::string_view name() const noexcept override { return "text"; }

  std::uint64_t memory(std::uint64_t plain_bytes) const override {
    // Leaves, the tokenizer's buffer and a filtered copy.
    return decoder_memory(plain_bytes) + 5 * plain_bytes + (std::uint64_t{1} << 20);
  }

  std::uint64_t decoder_memory(std::uint64_t plain_bytes) const override {
    std::uint64_t most = 0;
    for (const bool bytes : {false, true}) {
      text_parameters p{.strength = strength_, .bytes = bytes};
      p.log2_lines = log2_lines_for(p.coder(), plain_bytes, bytes);
      most = std::max(most, p.coder().memory(p.setup(plain_bytes)));
    }
    return most;
  }

  std::uint64_t estimate(std::span<const std::byte> plain) const override {
    return try_modes(strength_, plain).coded_bytes;
  }

  encoded encode(std::span<const std::byte> plain) const override {
    return encode_as(try_modes(strength_, plain).best, plain);
  }

 private:
  int strength_;
};

}  // namespace
}  // namespace text

std::unique_ptr<encoder> make_text_encoder(int strength) {
  if (strength < min_text_strength || strength > max_text_strength)
    throw error(errc::usage, "there is no text strength " + std::to_string(strength));
  return std::make_unique<text::text_encoder>(strength);
}

}  // namespace lmzip::codec
