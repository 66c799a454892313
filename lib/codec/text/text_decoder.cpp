#include <array>

#include "codec/text/text_codec.h"
#include "codec/text/text_data.h"
#include "codec/text/text_parameters.h"
#include "codec/text/x86_filter.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace text {
namespace {

constexpr std::uint32_t strength_mask = 15;
constexpr unsigned kind_shift = 4;
constexpr std::uint32_t kind_mask = 3;
constexpr std::uint32_t x86_bit = 64;
constexpr unsigned log2_lines_shift = 8;

std::uint64_t memory(std::uint32_t parameters, std::uint64_t plain_bytes) {
  const text_parameters p = text_parameters::parse(parameters);
  return p.coder().memory(p.setup(plain_bytes));
}

void decode(std::uint32_t parameters, std::span<const std::byte> coded,
            std::span<std::byte> plain) {
  const text_parameters p = text_parameters::parse(parameters);
  p.coder().decode(p.setup(plain.size()), coded, plain);
  if (p.x86) x86_inverse(plain);
}

std::string describe(std::uint32_t parameters) {
  const text_parameters p = text_parameters::parse(parameters);
  constexpr std::array<const char*, symbol_kinds> kinds{"tokens", "bytes of text",
                                                        "bytes of records"};
  std::string words = kinds[static_cast<std::size_t>(p.kind)];
  if (p.x86) words += ", x86 filter";
  return words + ", strength " + std::to_string(p.strength) + ", 2^" +
         std::to_string(p.log2_lines) + " lines a context";
}

}  // namespace

text_parameters text_parameters::unpack(std::uint32_t word) noexcept {
  text_parameters p;
  p.strength = static_cast<int>(word & strength_mask);
  p.kind = static_cast<symbol_kind>(word >> kind_shift & kind_mask);
  p.x86 = (word & x86_bit) != 0;
  p.log2_lines = word >> log2_lines_shift & 255;
  return p;
}

text_parameters text_parameters::parse(std::uint32_t word) {
  const text_parameters p = unpack(word);
  if (p.strength < min_strength || p.strength > max_strength || p.pack() != word ||
      static_cast<std::size_t>(p.kind) >= symbol_kinds ||
      (p.x86 && p.kind != symbol_kind::records) || p.log2_lines < min_log2_lines ||
      p.log2_lines > p.coder().max_log2_lines)
    throw error(errc::damaged, "text codec parameters that no encoder writes");
  return p;
}

std::uint32_t text_parameters::pack() const noexcept {
  return static_cast<std::uint32_t>(strength) | static_cast<std::uint32_t>(kind) << kind_shift |
         (x86 ? x86_bit : 0) | log2_lines << log2_lines_shift;
}

coding_setup text_parameters::setup(std::uint64_t plain_bytes) const {
  coding_setup setup{.symbols = &alphabet_of(kind),
                     .parameters = start_parameters(strength, kind),
                     .log2_lines = log2_lines,
                     .plain_bytes = plain_bytes};
  if (coder().ngrams != model::ngram_use::none) setup.use_ngrams(token_ngrams(), coder().ngrams);
  return setup;
}

}  // namespace text

const decoder text_decoder_v0 = {codec_id::text, 0, "text", text::memory, text::decode,
                                 text::describe};

}  // namespace lmzip::codec
