#include "vocab/trainer.h"

#include <algorithm>

#include "core/endian.h"
#include "core/hash.h"
#include "vocab/merge_table.h"
#include "vocab/pair_merger.h"
#include "vocab/pieces.h"
#include "vocab/token_strings.h"
#include "vocab/token_tree.h"

namespace lmzip::vocab {
namespace {

constexpr std::size_t read_bytes = std::size_t{1} << 20;
constexpr std::size_t max_document_bytes = std::size_t{16} << 20;

// Weight of one occurrence of a piece; the fractions of square roots.
constexpr std::uint64_t weight_unit = 16;

std::uint64_t square_root(std::uint64_t square) noexcept {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
    if ((root | bit) * (root | bit) <= square) root |= bit;
  }
  return root;
}

std::span<const std::uint8_t> bytes_of(std::string_view piece) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()};
}

template <std::unsigned_integral T>
void append_le(std::vector<std::byte>& file, T value) {
  file.resize(file.size() + sizeof value);
  store_le(file.data() + file.size() - sizeof value, value);
}

void append(std::vector<std::byte>& file, std::span<const std::byte> bytes) {
  file.insert(file.end(), bytes.begin(), bytes.end());
}

std::vector<std::byte> make_file(const token_strings& tokens,
                                 std::span<const std::uint8_t> depths) {
  const auto magic = std::as_bytes(std::span(file_magic));
  std::vector<std::byte> file(magic.begin(), magic.end());
  append_le(file, file_version);
  append_le(file, static_cast<std::uint16_t>(tokens.size()));
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    append_le(file, static_cast<std::uint8_t>(tokens[t].size()));
    append(file, std::as_bytes(tokens[t]));
  }
  append(file, std::as_bytes(depths));
  append(file, sha256_of(file));
  return file;
}

}  // namespace

void trainer::add(source& text) {
  std::vector<std::uint8_t> chunk(read_bytes);
  std::vector<std::uint8_t> document;
  while (const std::size_t got = text.read(std::as_writable_bytes(std::span(chunk)))) {
    for (std::span<const std::uint8_t> rest(chunk.data(), got); !rest.empty();) {
      const auto part = rest.first(std::min(rest.size(), max_document_bytes - document.size()));
      const auto zero = std::find(part.begin(), part.end(), 0);
      document.insert(document.end(), part.begin(), zero);
      const bool is_zero = zero != part.end();
      rest = rest.subspan(static_cast<std::size_t>(zero - part.begin()) + (is_zero ? 1 : 0));
      if (!is_zero && document.size() < max_document_bytes) continue;
      add_document(document);
      document.clear();
    }
  }
  add_document(document);
}

void trainer::add_document(std::span<const std::uint8_t> document) {
  std::unordered_map<std::string_view, std::uint64_t> counts;
  for (std::size_t at = 0; at < document.size();) {
    const std::size_t length = piece_length(document.data() + at, document.size() - at);
    ++counts[{reinterpret_cast<const char*>(document.data()) + at, length}];
    at += length;
  }
  for (const auto& [piece, count] : counts) {
    auto found = pieces_.find(piece);
    if (found == pieces_.end()) {
      char* copy = static_cast<char*>(piece_bytes_.allocate(piece.size(), 1));
      std::copy(piece.begin(), piece.end(), copy);
      found = pieces_.try_emplace({copy, piece.size()}).first;
    }
    found->second.occurrences += count;
    found->second.weight += square_root(count * weight_unit * weight_unit);
  }
}

std::vector<std::byte> trainer::train() const {
  // A piece that occurs once has no say in the merges, but is one in three of all pieces.
  pair_merger merger;
  for (const auto& [piece, counts] : pieces_) {
    if (counts.occurrences > 1) merger.add(bytes_of(piece), counts.weight);
  }
  merger.merge_until(wanted_tokens_);

  const token_strings& tokens = merger.tokens();
  std::vector<std::uint64_t> token_counts(tokens.size());
  for (const auto& [piece, counts] : pieces_) {
    token_id parts[max_token_bytes];
    const std::size_t count = merger.merges().encode(bytes_of(piece), parts);
    for (std::size_t i = 0; i < count; ++i) token_counts[parts[i]] += counts.occurrences;
  }
  std::vector<std::uint64_t> leaf_counts;
  for (const token_id t : tokens.alphabetical()) leaf_counts.push_back(token_counts[t]);
  return make_file(tokens, balanced_depths(leaf_counts));
}

}  // namespace lmzip::vocab
