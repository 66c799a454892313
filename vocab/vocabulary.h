#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/hash.h"
#include "vocab/format.h"
#include "vocab/merge_table.h"
#include "vocab/token_strings.h"

namespace lmzip::vocab {

/// A vocabulary: the byte strings ("tokens") that text is cut into, and the token tree.
///
/// The token tree is binary and has one leaf a token. Its leaves, from left to right, are the
/// tokens in alphabetical order, so that the leaves under any node are an interval of leaf numbers
/// and similar tokens are neighbours. The depths of the leaves determine its shape; the trainer
/// sets them from the token counts of the training text (SPEC.md, "Token tree").
///
/// Immutable, so safe to use from several threads.
class vocabulary {
 public:
  /// Reads a vocabulary file and checks all of it, so that everything below holds for hostile
  /// bytes too. Takes a few milliseconds.
  /// Throws error: unsupported (a newer version), damaged, truncated.
  static vocabulary parse(std::span<const std::byte> file);

  /// Reads a file that parse() accepts, without checking its hash and its merges again: those are
  /// recovered when they are first asked for, which a decoder never does.
  static vocabulary parse_sound(std::span<const std::byte> file);

  /// Number of tokens and of leaves, byte_tokens ... max_tokens.
  std::size_t size() const noexcept { return tokens_.size(); }

  /// The bytes of a token, 1 ... max_token_bytes of them; all 256 single bytes are tokens.
  /// max_token_bytes bytes can be read from the start of each.
  std::span<const std::uint8_t> bytes(token_id token) const noexcept { return tokens_[token]; }

  /// Not for inner loops. Throws std::bad_alloc.
  const merge_table& merges() const;

  /// Names the content: the SHA-256 at the end of the file.
  const hash256& content_hash() const noexcept { return content_hash_; }

  token_id token_of_leaf(std::size_t leaf) const noexcept { return token_of_leaf_[leaf]; }
  std::size_t leaf_of_token(token_id token) const noexcept { return leaf_of_token_[token]; }

  /// Number of decisions from the root to a leaf, 1 ... max_tree_depth. The depths of all leaves
  /// describe a binary tree in which every inner node has two children.
  unsigned depth(std::size_t leaf) const noexcept { return depths_[leaf]; }

 private:
  /// The merges, made at their first use.
  struct lazy_merges;

  vocabulary() = default;
  static vocabulary read(std::span<const std::byte> file, bool sound);

  token_strings tokens_;
  std::shared_ptr<lazy_merges> merges_;
  std::vector<token_id> token_of_leaf_;
  std::vector<std::uint16_t> leaf_of_token_;
  std::vector<std::uint8_t> depths_;
  hash256 content_hash_{};
};

}  // namespace lmzip::vocab
