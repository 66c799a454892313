#include <array>

#include "codec/model_file.h"
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
constexpr std::uint32_t network_bit = 128;
constexpr unsigned log2_lines_shift = 8;
constexpr unsigned model_mark_shift = 16;

std::uint64_t memory(std::uint32_t parameters, std::uint64_t plain_bytes,
                     const shared_model* model) {
  const text_parameters p = text_parameters::parse(parameters);
  return p.coder().memory(p.setup(plain_bytes, model));
}

void decode(std::uint32_t parameters, std::span<const std::byte> coded, std::span<std::byte> plain,
            const decoding_context& context) {
  const text_parameters p = text_parameters::parse(parameters);
  p.coder().decode(p.setup(plain.size(), context.model), coded, plain);
  if (p.x86) x86_inverse(plain);
}

std::string describe(std::uint32_t parameters) {
  const text_parameters p = text_parameters::parse(parameters);
  constexpr std::array<const char*, symbol_kinds> kinds{"tokens", "bytes of text",
                                                        "bytes of records"};
  std::string words = kinds[static_cast<std::size_t>(p.kind)];
  if (p.x86) words += ", x86 filter";
  if (p.network) words += ", network";
  return words + ", strength " + std::to_string(p.strength) + ", 2^" +
         std::to_string(p.log2_lines) + " lines a context";
}

/// Whether an encoder writes such parameters.
bool is_possible(const text_parameters& p, std::uint32_t word) noexcept {
  const bool has_network_rightly =
      p.network ? p.kind == symbol_kind::tokens && p.strength >= min_network_strength
                : p.model_mark == 0;
  return p.strength >= min_strength && p.strength <= max_strength && p.pack() == word &&
         static_cast<std::size_t>(p.kind) < symbol_kinds &&
         (!p.x86 || p.kind == symbol_kind::records) && has_network_rightly &&
         p.log2_lines >= min_log2_lines && p.log2_lines <= p.coder().max_log2_lines;
}

bool needs_model(std::uint32_t parameters) noexcept {
  const text_parameters p = text_parameters::unpack(parameters);
  return p.network && is_possible(p, parameters);
}

}  // namespace

text_parameters text_parameters::unpack(std::uint32_t word) noexcept {
  text_parameters p;
  p.strength = static_cast<int>(word & strength_mask);
  p.kind = static_cast<symbol_kind>(word >> kind_shift & kind_mask);
  p.x86 = (word & x86_bit) != 0;
  p.network = (word & network_bit) != 0;
  p.log2_lines = word >> log2_lines_shift & 255;
  p.model_mark = word >> model_mark_shift;
  return p;
}

text_parameters text_parameters::parse(std::uint32_t word) {
  const text_parameters p = unpack(word);
  if (!is_possible(p, word))
    throw error(errc::damaged, "text codec parameters that no encoder writes");
  return p;
}

std::uint32_t text_parameters::pack() const noexcept {
  return static_cast<std::uint32_t>(strength) | static_cast<std::uint32_t>(kind) << kind_shift |
         (x86 ? x86_bit : 0) | (network ? network_bit : 0) | log2_lines << log2_lines_shift |
         model_mark << model_mark_shift;
}

coding_setup text_parameters::setup(std::uint64_t plain_bytes, const shared_model* model) const {
  coding_setup setup{.symbols = &alphabet_of(kind),
                     .parameters = start_parameters(strength, kind, network),
                     .log2_lines = log2_lines,
                     .plain_bytes = plain_bytes};
  if (network) {
    if (model == nullptr || mark_of(*model) != model_mark)
      throw error(errc::missing, "needs a model that is not there");
    setup.network = &model->network;
  }
  if (coder().ngrams != model::ngram_use::none) setup.use_ngrams(token_ngrams(), coder().ngrams);
  return setup;
}

}  // namespace text

const decoder text_decoder_v0 = {
    codec_id::text, 0, "text", text::memory, text::decode, text::describe, text::needs_model};

}  // namespace lmzip::codec
