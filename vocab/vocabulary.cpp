#include "vocab/vocabulary.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>

#include "core/cursor.h"
#include "lmzip/error.h"

namespace lmzip::vocab {
namespace {

[[noreturn]] void damaged(const std::string& what, std::uint64_t offset = error::no_offset) {
  throw error(errc::damaged, "vocabulary: " + what, offset);
}

/// Checks magic, version and, unless the file is sound, hash; leaves `in` at the number of tokens.
/// Returns the hash.
hash256 read_header(cursor& in, std::span<const std::byte> file, bool sound) {
  const auto magic = in.bytes(file_magic.size());
  if (!std::equal(magic.begin(), magic.end(), std::as_bytes(std::span(file_magic)).begin())) {
    damaged("not a vocabulary file", 0);
  }
  const unsigned version = in.u16();
  if (version > file_version) {
    throw error(errc::unsupported,
                "vocabulary: version " + std::to_string(version) + " needs a newer lmzip");
  }

  hash256 stored{};
  if (in.remaining() < stored.size()) throw error(errc::truncated, "vocabulary: ends too early");
  const auto content = file.first(file.size() - stored.size());
  std::copy_n(file.end() - stored.size(), stored.size(), stored.begin());
  if (!sound && sha256_of(content) != stored) damaged("wrong checksum");
  return stored;
}

token_strings read_tokens(cursor& in, std::size_t count) {
  token_strings tokens;
  for (std::size_t t = 0; t < count; ++t) {
    const std::uint64_t offset = in.offset();
    const std::size_t length = in.u8();
    if (length == 0 || length > max_token_bytes) damaged("token of a wrong length", offset);
    std::uint8_t bytes[max_token_bytes];
    const auto stored = in.bytes(length);
    std::transform(stored.begin(), stored.end(), bytes,
                   [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
    if (t < byte_tokens && (length != 1 || bytes[0] != t)) {
      damaged("a token below 256 is not its byte", offset);
    }
    tokens.add({bytes, length});
  }
  return tokens;
}

/// Recovers the merges: with the merges before it, every token must come apart into exactly two
/// others. A duplicate would come back as one token, one that can never be made as three or more.
merge_table recover_merges(const token_strings& tokens) {
  merge_table merges;
  for (std::size_t t = byte_tokens; t < tokens.size(); ++t) {
    token_id parts[max_token_bytes];
    if (merges.encode(tokens[t], parts) != 2) {
      damaged("token " + std::to_string(t) + " is not made of two tokens before it");
    }
    merges.add(parts[0], parts[1], static_cast<token_id>(t));
  }
  return merges;
}

/// A leaf of depth d owns 2^-d of the root's share. From left to right, each share must begin at a
/// multiple of its own size, and together they must fill the root exactly.
std::vector<std::uint8_t> read_depths(cursor& in, std::size_t count) {
  constexpr std::uint64_t root = std::uint64_t{1} << max_tree_depth;
  std::vector<std::uint8_t> depths(count);
  std::uint64_t filled = 0;
  for (auto& depth : depths) {
    const std::uint64_t offset = in.offset();
    depth = in.u8();
    if (depth == 0 || depth > max_tree_depth) damaged("leaf of a wrong depth", offset);
    const std::uint64_t share = root >> depth;
    if (filled % share != 0 || filled + share > root) damaged("the leaves form no tree", offset);
    filled += share;
  }
  if (filled != root) damaged("the leaves form no tree");
  return depths;
}

}  // namespace

struct vocabulary::lazy_merges {
  std::once_flag made;
  std::unique_ptr<const merge_table> table;
};

vocabulary vocabulary::parse(std::span<const std::byte> file) {
  vocabulary v = read(file, false);
  v.merges();
  return v;
}

vocabulary vocabulary::parse_sound(std::span<const std::byte> file) { return read(file, true); }

const merge_table& vocabulary::merges() const {
  std::call_once(merges_->made, [this] {
    merges_->table = std::make_unique<const merge_table>(recover_merges(tokens_));
  });
  return *merges_->table;
}

vocabulary vocabulary::read(std::span<const std::byte> file, bool sound) {
  vocabulary v;
  cursor whole(file);
  v.content_hash_ = read_header(whole, file, sound);
  const std::size_t start = whole.position();
  cursor in(file.subspan(start, file.size() - start - v.content_hash_.size()), start);

  const std::size_t count = in.u16();
  if (count < byte_tokens || count > max_tokens) damaged("wrong number of tokens", start);
  v.tokens_ = read_tokens(in, count);
  v.merges_ = std::make_shared<lazy_merges>();
  v.depths_ = read_depths(in, count);
  if (in.remaining() != 0) damaged("bytes after the last depth", in.offset());

  v.token_of_leaf_ = v.tokens_.alphabetical();
  v.leaf_of_token_.resize(count);
  for (std::size_t leaf = 0; leaf < count; ++leaf) {
    v.leaf_of_token_[v.token_of_leaf_[leaf]] = static_cast<std::uint16_t>(leaf);
  }
  return v;
}

}  // namespace lmzip::vocab
