#include "codec/text/text_data.h"

#include <zstd.h>

#include "codec/text/symbol_coder.h"
#include "core/cursor.h"
#include "lmzip/error.h"
#include "model/parameters.h"
#include "vocab/shipped.h"

namespace lmzip::codec::text {
namespace {

text_data load() {
  const model::parameter_layout token_layout(token_coder().shape);
  const model::parameter_layout byte_layout(byte_coder().shape);
  const auto file = vocab::shipped_parameter_bytes();
  text_data data{.tokens = alphabet_of_shipped_vocabulary(),
                 .token_parameters = {},
                 .byte_parameters = {},
                 .id = {}};
  const parameter_values values =
      parse_parameters(file, token_layout.total_values(), byte_layout.total_values());
  data.token_parameters = token_layout.restore(values.tokens);
  data.byte_parameters = byte_layout.restore(values.bytes);
  sha256 hasher;
  hasher.update(vocab::shipped_vocabulary_bytes());
  hasher.update(file);
  data.id = hasher.finish();
  return data;
}

}  // namespace

model::alphabet alphabet_of_shipped_vocabulary() {
  const vocab::vocabulary& words = vocab::shipped_vocabulary();
  std::vector<std::uint8_t> depths;
  std::vector<std::span<const std::uint8_t>> bytes;
  depths.reserve(words.size());
  bytes.reserve(words.size());
  for (std::size_t leaf = 0; leaf < words.size(); ++leaf) {
    depths.push_back(static_cast<std::uint8_t>(words.depth(leaf)));
    bytes.push_back(words.bytes(words.token_of_leaf(leaf)));
  }
  return {depths, std::move(bytes)};
}

parameter_values parse_parameters(std::span<const std::byte> file, std::size_t token_values,
                                  std::size_t byte_values) {
  cursor in(file);
  if (in.u32() != parameter_magic || in.u32() != token_values || in.u32() != byte_values)
    throw error(errc::damaged, "the parameter file does not fit this build");
  const auto packed = in.bytes(in.remaining());
  std::vector<std::uint8_t> values(token_values + byte_values);
  const std::size_t size =
      ZSTD_decompress(values.data(), values.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) != 0 || size != values.size())
    throw error(errc::damaged, "the parameter file is corrupt");
  const auto border = values.begin() + static_cast<std::ptrdiff_t>(token_values);
  return {{values.begin(), border}, {border, values.end()}};
}

const text_data& shipped_text_data() {
  static const text_data data = load();
  return data;
}

}  // namespace lmzip::codec::text
