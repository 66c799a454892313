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

// A trial codes a part of the block: few percent of a large one, as much as tells the ways apart.
constexpr std::size_t trial_part = 24;
constexpr std::size_t min_trial_bytes = std::size_t{4} << 10;
constexpr std::size_t max_trial_bytes = std::size_t{48} << 10;
constexpr std::size_t trial_pieces = 3;

// Where tokens are long enough no trial is needed, nor where they are hardly longer than bytes
// (measured on the training text by language and kind).
constexpr std::uint64_t surely_tokens = 250;  // bytes in 100 tokens
constexpr std::uint64_t surely_bytes = 140;

// Bytes are learned faster than tokens, so that a short trial flatters them.
constexpr std::uint64_t byte_handicap = 102;  // per cent

/// Lines a context for a block: enough for its symbols, within what the strength allows.
unsigned log2_lines_for(const symbol_coder& coder, std::uint64_t plain_bytes, bool bytes) {
  const std::uint64_t expected_symbols = bytes ? plain_bytes : plain_bytes / 3;
  return std::clamp(static_cast<unsigned>(std::bit_width(expected_symbols)), min_log2_lines,
                    coder.max_log2_lines);
}

encoded encode_with(text_parameters p, std::span<const std::byte> plain) {
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

/// Pieces spread over the block, joined.
std::vector<std::byte> sample(std::span<const std::byte> plain) {
  const std::size_t wanted =
      std::clamp(plain.size() / trial_part, min_trial_bytes, max_trial_bytes);
  if (plain.size() <= wanted) return {plain.begin(), plain.end()};
  const std::size_t piece_bytes = wanted / trial_pieces;
  std::vector<std::byte> pieces;
  for (std::size_t i = 1; i <= trial_pieces; ++i) {
    const std::size_t start = (plain.size() - piece_bytes) / (trial_pieces + 1) * i;
    const auto piece = plain.subspan(start, piece_bytes);
    pieces.insert(pieces.end(), piece.begin(), piece.end());
  }
  return pieces;
}

struct trial {
  text_parameters way;
  std::uint64_t coded_bytes;  ///< expected for the whole block
};

trial try_ways(int strength, std::span<const std::byte> plain) {
  const std::vector<std::byte> part = sample(plain);
  const auto attempt = [&](bool bytes) {
    text_parameters way{.strength = strength, .bytes = bytes};
    way.x86 = bytes && looks_like_x86(plain);
    const std::uint64_t coded = encode_with(way, part).coded.size();
    return trial{way, coded * plain.size() / part.size()};
  };
  const std::uint64_t tokens = leaves_of_tokens(part).size();
  if (part.size() * 100 > tokens * surely_tokens) return attempt(false);
  const trial as_bytes = attempt(true);
  if (part.size() * 100 < tokens * surely_bytes) return as_bytes;
  const trial as_tokens = attempt(false);
  return as_bytes.coded_bytes * byte_handicap < as_tokens.coded_bytes * 100 ? as_bytes : as_tokens;
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

  outlook estimate(std::span<const std::byte> plain) const override {
    const trial t = try_ways(strength_, plain);
    return {t.coded_bytes, t.way.pack()};
  }

  encoded encode_as(std::span<const std::byte> plain, std::uint32_t choice) const override {
    return encode_with(
        choice == undecided ? try_ways(strength_, plain).way : text_parameters::unpack(choice),
        plain);
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
