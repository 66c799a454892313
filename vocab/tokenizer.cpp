#include "vocab/tokenizer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/endian.h"
#include "vocab/pieces.h"

namespace lmzip::vocab {
namespace {

constexpr std::size_t min_memory = 64;
constexpr std::size_t bytes_per_memo = 32;

// Keeps the first bytes of eight.
constexpr std::array<std::uint64_t, 9> first_bytes = [] {
  std::array<std::uint64_t, 9> masks{};
  for (std::size_t count = 1; count <= 8; ++count) masks[count] = masks[count - 1] << 8 | 0xff;
  return masks;
}();

}  // namespace

tokenizer::tokenizer(const vocabulary& words, std::size_t expected_bytes)
    : merges_(words.merges()),
      memory_(std::bit_ceil(
          std::max(min_memory, std::min(expected_bytes, max_expected_bytes) / bytes_per_memo))),
      hash_shift_(64 - static_cast<unsigned>(std::bit_width(memory_.size() - 1))) {}

inline tokenizer::key tokenizer::key_of(const std::uint8_t* piece, std::size_t length,
                                        bool wide_load) noexcept {
  std::uint8_t padded[remembered_bytes] = {};
  if (!wide_load) {
    std::memcpy(padded, piece, length);
    piece = padded;
  }
  const std::size_t head_length = std::min<std::size_t>(length, 8);
  return {load_le<std::uint64_t>(piece) & first_bytes[head_length],
          load_le<std::uint64_t>(piece + 8) & first_bytes[length - head_length],
          static_cast<std::uint8_t>(length)};
}

inline tokenizer::memo& tokenizer::memo_of(const key& piece) noexcept {
  std::uint64_t hash = (piece.head ^ piece.tail * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
  hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
  return memory_[hash >> hash_shift_];
}

std::size_t tokenizer::encode_and_remember(const std::uint8_t* piece, const key& k, memo& place,
                                           token_id* out) {
  const std::size_t count = merges_.encode({piece, k.bytes}, out);
  if (count <= remembered_tokens) {
    place.head = k.head;
    place.tail = k.tail;
    place.bytes = k.bytes;
    place.count = static_cast<std::uint8_t>(count);
    std::memcpy(place.tokens, out, count * sizeof *out);
  }
  return count;
}

void tokenizer::encode(std::span<const std::byte> text, std::vector<token_id>& tokens) {
  static_assert(max_piece_bytes <= max_token_bytes && remembered_bytes <= max_piece_bytes);
  // Every piece is encoded straight into the vector, which therefore has room for one piece more.
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::size_t most = text.size() + max_piece_bytes;
  tokens.resize(std::min(most, text.size() / 2 + max_piece_bytes));
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (count + max_piece_bytes > tokens.size()) {
      tokens.resize(std::min(most, tokens.size() + tokens.size() / 2));
    }
    const std::uint8_t* piece = bytes + at;
    const std::size_t left = text.size() - at;
    const std::size_t length = piece_length(piece, left);
    token_id* out = tokens.data() + count;
    at += length;
    if (length > remembered_bytes) {
      count += merges_.encode({piece, length}, out);
      continue;
    }
    const key k = key_of(piece, length, left >= remembered_bytes);
    memo& place = memo_of(k);
    if (place.head == k.head && place.tail == k.tail && place.bytes == k.bytes) {
      std::memcpy(out, place.tokens, sizeof place.tokens);
      count += place.count;
    } else {
      count += encode_and_remember(piece, k, place, out);
    }
  }
  tokens.resize(count);
}

}  // namespace lmzip::vocab
