#include "model/alphabet.h"

#include <array>

#include "lmzip/error.h"
#include "model/hashing.h"

namespace lmzip::model {
namespace {

bool is_letter(std::uint8_t byte) { return class_of(byte) == byte_class::letter; }

std::uint8_t lower_case(std::uint8_t byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<std::uint8_t>(byte | 32) : byte;
}

symbol_facts describe(std::span<const std::uint8_t> bytes) {
  symbol_facts facts;
  facts.length = static_cast<std::uint8_t>(bytes.size());
  facts.kind =
      static_cast<std::uint8_t>(static_cast<int>(class_of(bytes.back())) |
                                (bytes.front() == ' ' ? 8 : 0) | (bytes.size() > 1 ? 16 : 0));
  std::size_t word_start = bytes.size();
  while (word_start > 0 && is_letter(bytes[word_start - 1])) --word_start;
  for (const std::uint8_t byte : bytes.subspan(word_start))
    facts.word_hash = word_step(facts.word_hash, lower_case(byte));
  if (word_start < bytes.size()) facts.word = word_start == 0 ? word_part::all : word_part::tail;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] == '\n') facts.after_newline = static_cast<std::int8_t>(bytes.size() - 1 - i);
  return facts;
}

}  // namespace

byte_class class_of(std::uint8_t byte) noexcept {
  if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte >= 128)
    return byte_class::letter;
  if (byte >= '0' && byte <= '9') return byte_class::digit;
  if (byte == ' ') return byte_class::space;
  if (byte == '\n' || byte == '\r' || byte == '\t') return byte_class::line;
  if (byte < 32 || byte == 127) return byte_class::control;
  return byte_class::punctuation;
}

alphabet::alphabet(std::span<const std::uint8_t> leaf_depths,
                   std::vector<std::span<const std::uint8_t>> bytes)
    : tree_(leaf_depths), bytes_(std::move(bytes)) {
  if (bytes_.size() != tree_.leaf_count())
    throw error(errc::internal, "the alphabet's tree and symbols differ in number");
  facts_.reserve(bytes_.size());
  for (const auto symbol : bytes_) {
    if (symbol.empty() || symbol.size() > 127)
      throw error(errc::damaged, "a symbol of the alphabet is empty or too long");
    facts_.push_back(describe(symbol));
  }
}

const alphabet& alphabet::of_bytes() {
  static const std::array<std::uint8_t, 256> all = [] {
    std::array<std::uint8_t, 256> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
    return bytes;
  }();
  static const alphabet bytes = [] {
    const std::vector<std::uint8_t> depths(256, 8);
    std::vector<std::span<const std::uint8_t>> symbols;
    for (std::size_t i = 0; i < all.size(); ++i) symbols.push_back(std::span(all).subspan(i, 1));
    return alphabet(depths, std::move(symbols));
  }();
  return bytes;
}

}  // namespace lmzip::model
