#include "codec/text/text_codec.h"
#include "codec/text/text_data.h"
#include "codec/text/text_parameters.h"
#include "codec/text/x86_filter.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace text {
namespace {

constexpr std::uint32_t strength_mask = 15;
constexpr std::uint32_t bytes_bit = 16;
constexpr std::uint32_t x86_bit = 32;
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
  std::string words = p.bytes ? "bytes" : "tokens";
  if (p.x86) words += ", x86 filter";
  return words + ", strength " + std::to_string(p.strength) + ", 2^" +
         std::to_string(p.log2_lines) + " lines a context";
}

}  // namespace

text_parameters text_parameters::unpack(std::uint32_t word) noexcept {
  text_parameters p;
  p.strength = static_cast<int>(word & strength_mask);
  p.bytes = (word & bytes_bit) != 0;
  p.x86 = (word & x86_bit) != 0;
  p.log2_lines = word >> log2_lines_shift & 255;
  return p;
}

text_parameters text_parameters::parse(std::uint32_t word) {
  const text_parameters p = unpack(word);
  if (p.strength < min_text_strength || p.strength > max_text_strength || p.pack() != word ||
      (p.x86 && !p.bytes) || p.log2_lines < min_log2_lines ||
      p.log2_lines > p.coder().max_log2_lines)
    throw error(errc::damaged, "text codec parameters that no encoder writes");
  return p;
}

std::uint32_t text_parameters::pack() const noexcept {
  return static_cast<std::uint32_t>(strength) | (bytes ? bytes_bit : 0) | (x86 ? x86_bit : 0) |
         log2_lines << log2_lines_shift;
}

coding_setup text_parameters::setup(std::uint64_t plain_bytes) const {
  const text_data& data = shipped_text_data();
  return {.symbols = bytes ? &model::alphabet::of_bytes() : &data.tokens,
          .parameters = bytes ? data.byte_parameters : data.token_parameters,
          .log2_lines = log2_lines,
          .plain_bytes = plain_bytes};
}

}  // namespace text

const decoder text_decoder_v0 = {codec_id::text, 0, "text", text::memory, text::decode,
                                 text::describe};

}  // namespace lmzip::codec
