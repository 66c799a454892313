#include "codec/tokens/token_coder.h"
#include "codec/tokens/tokens_codec.h"
#include "codec/tokens/tokens_data.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace tokens {
namespace {

token_setup setup_of(std::uint32_t parameters) {
  if (parameters < min_log2_lines || parameters > max_log2_lines)
    throw error(errc::damaged, "tokens codec parameters that no encoder writes");
  return {
      .data = &shipped_tokens_data(), .values = shipped_start_values(), .log2_lines = parameters};
}

std::uint64_t memory(std::uint32_t parameters, std::uint64_t plain_bytes, const shared_model*) {
  return decoder_memory(setup_of(parameters), plain_bytes);
}

void decode(std::uint32_t parameters, std::span<const std::byte> coded, std::span<std::byte> plain,
            const decoding_context&) {
  active_token_coder().decode(setup_of(parameters), coded, plain);
}

std::string describe(std::uint32_t parameters) {
  setup_of(parameters);
  return "2^" + std::to_string(parameters) + " lines a context";
}

}  // namespace
}  // namespace tokens

const decoder tokens_decoder_v0 = {
    codec_id::tokens, 0, "tokens", tokens::memory, tokens::decode, tokens::describe,
    needs_no_model};

}  // namespace lmzip::codec
