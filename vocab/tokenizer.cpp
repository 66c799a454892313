#include "vocab/tokenizer.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/endian.h"
#include "vocab/pieces.h"

namespace lmzip::vocab {
namespace {

constexpr std::size_t min_memory = 64;
constexpr std::size_t bytes_per_memo = 32;

std::uint64_t low_bytes(std::uint64_t value, std::size_t count) noexcept {
  return count >= 8 ? value : value & ((std::uint64_t{1} << 8 * count) - 1);
}

}  // namespace

tokenizer::tokenizer(const vocabulary& words, std::size_t expected_bytes)
    : words_(words),
      memory_(std::bit_ceil(
          std::max(min_memory, std::min(expected_bytes, max_expected_bytes) / bytes_per_memo))),
      hash_shift_(64 - static_cast<unsigned>(std::bit_width(memory_.size() - 1))) {}

std::size_t tokenizer::encode_short(const std::uint8_t* piece, std::size_t length, bool whole_load,
                                    token_id* out) {
  std::uint8_t padded[remembered_bytes] = {};
  const std::uint8_t* from = piece;
  if (!whole_load) {
    std::memcpy(padded, piece, length);
    from = padded;
  }
  const std::uint64_t head = low_bytes(load_le<std::uint64_t>(from), length);
  const std::uint64_t tail =
      length <= 8 ? 0 : low_bytes(load_le<std::uint64_t>(from + 8), length - 8);

  std::uint64_t hash = (head ^ tail * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
  hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
  memo& known = memory_[hash >> hash_shift_];
  if (known.bytes == length && known.head == head && known.tail == tail) {
    std::memcpy(out, known.tokens, sizeof known.tokens);
    return known.count;
  }

  const std::size_t count = words_.merges().encode({piece, length}, out);
  if (count <= remembered_tokens) {
    known.head = head;
    known.tail = tail;
    known.bytes = static_cast<std::uint8_t>(length);
    known.count = static_cast<std::uint8_t>(count);
    std::memcpy(known.tokens, out, count * sizeof *out);
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
    const std::size_t left = text.size() - at;
    const std::size_t length = piece_length(bytes + at, left);
    token_id* out = tokens.data() + count;
    count += length <= remembered_bytes
                 ? encode_short(bytes + at, length, left >= remembered_bytes, out)
                 : words_.merges().encode({bytes + at, length}, out);
    at += length;
  }
  tokens.resize(count);
}

}  // namespace lmzip::vocab
