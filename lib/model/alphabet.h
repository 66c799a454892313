#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/token_tree.h"

namespace lmzip::model {

/// Kinds of bytes that contexts tell apart.
enum class byte_class : std::uint8_t { letter, digit, punctuation, space, line, control };

/// Bytes of 128 and more count as letters, tabs and carriage returns as line.
byte_class class_of(std::uint8_t byte) noexcept;

/// Where a symbol's letters stand: contexts follow words across symbols.
enum class word_part : std::uint8_t { none, all, tail };

/// What contexts need to know of a symbol.
struct symbol_facts {
  std::uint32_t word_hash = 0;  ///< of the letters at its end, lower case; 0 if none
  std::uint8_t length = 1;      ///< in bytes
  std::uint8_t kind = 0;        ///< class of the last byte | 8 if it starts with a space | 16 if
                                ///< longer than a byte
  word_part word = word_part::none;
  std::int8_t after_newline = -1;  ///< bytes after its last newline; -1: it has none
};

/// An alphabet of symbols: the tree of their codes and what contexts need to know of each, both in
/// leaf order. Immutable.
class alphabet {
 public:
  /// `bytes[leaf]` are the bytes of the symbol at a leaf, 1 to 127 of them. The caller keeps them
  /// alive.
  alphabet(std::span<const std::uint8_t> leaf_depths,
           std::vector<std::span<const std::uint8_t>> bytes);

  /// The 256 bytes at depth 8, in order.
  static const alphabet& of_bytes();

  const token_tree& tree() const noexcept { return tree_; }
  const symbol_facts& facts(std::uint32_t leaf) const noexcept { return facts_[leaf]; }
  std::span<const std::uint8_t> bytes(std::uint32_t leaf) const noexcept { return bytes_[leaf]; }
  std::uint32_t size() const noexcept { return tree_.leaf_count(); }

 private:
  token_tree tree_;
  std::vector<symbol_facts> facts_;
  std::vector<std::span<const std::uint8_t>> bytes_;
};

}  // namespace lmzip::model
