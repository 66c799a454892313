#include "codec/text/text_data.h"

#include <array>
#include <mutex>
#include <vector>

#include "codec/parameter_file.h"
#include "core/io/zeroed_memory.h"
#include "model/parameters.h"
#include "vocab/shipped.h"

namespace lmzip::codec::text {
namespace {

model::alphabet read_alphabet() {
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

std::vector<std::byte> read_parameters(int strength, symbol_kind kind) {
  const model::parameter_layout layout(find_coder(strength, kind).shape);
  return layout.restore(
      shipped_parameters().section(section_name(strength, kind), layout.total_values()));
}

// Set on a part of the training text.
constexpr std::int32_t network_weight = 24000;
constexpr std::int32_t kept_weight = 40000;

std::vector<std::byte> make_parameters(int strength, symbol_kind kind, bool network) {
  if (!network) return read_parameters(strength, kind);
  return model::parameter_layout(find_coder(strength, kind).shape)
      .with_one_input_more(start_parameters(strength, kind), kept_weight, network_weight);
}

/// A value that is read at its first use.
class lazy_image {
 public:
  std::span<const std::byte> get(int strength, symbol_kind kind, bool network) {
    std::call_once(read_, [&] { image_ = make_parameters(strength, kind, network); });
    return image_;
  }

 private:
  std::once_flag read_;
  std::vector<std::byte> image_;
};

}  // namespace

const model::alphabet& token_alphabet() {
  static const model::alphabet tokens = read_alphabet();
  return tokens;
}

const model::alphabet& alphabet_of(symbol_kind kind) {
  return kind == symbol_kind::tokens ? token_alphabet() : model::alphabet::of_bytes();
}

std::span<const std::byte> start_parameters(int strength, symbol_kind kind, bool network) {
  using images_of_strength = std::array<std::array<lazy_image, 2>, symbol_kinds>;
  static std::array<images_of_strength, max_strength - min_strength + 1> images;
  return images[static_cast<std::size_t>(strength - min_strength)][static_cast<std::size_t>(kind)]
               [network ? 1 : 0]
                   .get(strength, kind, network);
}

const model::ngram_table& token_ngrams() {
  static const model::ngram_table table = [] {
    const std::size_t size = shipped_parameters().size_of(ngram_section);
    const io::zeroed_memory memory(size);
    const std::span values(reinterpret_cast<std::uint8_t*>(memory.data()), size);
    shipped_parameters().unpack(ngram_section, values);
    return model::ngram_table::parse(values, token_alphabet().size());
  }();
  return table;
}

std::string section_name(int strength, symbol_kind kind) {
  constexpr std::array<const char*, symbol_kinds> names{"tokens", "letters", "records"};
  return names[static_cast<std::size_t>(kind)] + std::to_string(strength);
}

}  // namespace lmzip::codec::text
