#include "codec/tokens/tokens_data.h"

#include <cstring>

#include "codec/parameter_file.h"
#include "codec/text/text_data.h"
#include "lmzip/error.h"

namespace lmzip::codec::tokens {
namespace {

constexpr std::size_t copied = 16;  // bytes at once

std::uint8_t traits_of(const model::symbol_facts& facts) {
  return static_cast<std::uint8_t>((facts.kind & kind_bits) |
                                   (facts.after_newline >= 0 ? newline_bit : 0) |
                                   (facts.word == model::word_part::all ? word_bit : 0));
}

}  // namespace

tokens_data::tokens_data(const model::alphabet& symbols) : tree_(symbols.tree()), layout_(tree_) {
  for (std::uint32_t leaf = 0; leaf < symbols.size(); ++leaf) {
    const auto bytes = symbols.bytes(leaf);
    traits_.push_back(traits_of(symbols.facts(leaf)));
    texts_.push_back({static_cast<std::uint32_t>(bytes_.size()) & 0xffffff,
                      static_cast<std::uint32_t>(bytes.size()) & 0xff});
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  bytes_.resize(bytes_.size() + copied);
}

std::size_t tokens_data::write_text(std::span<const std::uint16_t> leaves,
                                    std::span<std::byte> plain) const {
  std::size_t done = 0;
  for (const std::uint16_t leaf : leaves) {
    const std::size_t size = length(leaf);
    const std::uint8_t* from = text(leaf);
    std::byte* to = plain.data() + done;
    const std::size_t left = plain.size() - done;
    if (size <= copied && left >= copied) {
      std::memcpy(to, from, copied);
    } else {
      if (size > left) throw error(errc::damaged, "a token passes the end of its block");
      std::memcpy(to, from, size);
    }
    done += size;
  }
  return done;
}

const tokens_data& shipped_tokens_data() {
  static const tokens_data data(text::token_alphabet());
  return data;
}

std::span<const std::byte> shipped_start_values() {
  static const std::vector<std::byte> image = [] {
    const value_layout& layout = shipped_tokens_data().layout();
    return layout.restore(shipped_parameters().section(start_section, layout.quantised_values()));
  }();
  return image;
}

}  // namespace lmzip::codec::tokens
