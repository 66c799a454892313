#include <algorithm>
#include <array>
#include <cstring>

#include "core/cursor.h"
#include "core/endian.h"
#include "formats/container/append.h"
#include "formats/container/format.h"
#include "lmzip/error.h"

namespace lmzip::container {
namespace {

// Plain offsets end here, so that no sum of sizes can overflow.
constexpr std::uint64_t max_plain_offset = std::uint64_t{1} << 62;

std::uint32_t header_check(std::span<const std::byte> bytes) noexcept {
  return static_cast<std::uint32_t>(xxh3_64(bytes));
}

// Whether the four bytes of `word` stand anywhere in `bytes`. Written so that compilers turn it
// into byte-wise vector compares; runs over every payload that is written.
bool contains(std::span<const std::byte> bytes, std::span<const std::byte, 4> word) noexcept {
  constexpr std::size_t stride = 4096;
  if (bytes.size() < 4) return false;
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto a = std::to_integer<unsigned char>(word[0]);
  const auto b = std::to_integer<unsigned char>(word[1]);
  const auto c = std::to_integer<unsigned char>(word[2]);
  const auto d = std::to_integer<unsigned char>(word[3]);
  const std::size_t ends = bytes.size() - 3;
  for (std::size_t from = 0; from < ends; from += stride) {
    const std::size_t to = std::min(ends, from + stride);
    unsigned char hit = 0;
    for (std::size_t i = from; i < to; ++i) {
      hit |= static_cast<unsigned char>((at[i] == a) & (at[i + 1] == b) & (at[i + 2] == c) &
                                        (at[i + 3] == d));
    }
    if (hit != 0) return true;
  }
  return false;
}

// The differences between neighbours, which no mask changes.
std::uint32_t differences(std::uint32_t word) noexcept { return (word ^ word >> 8) & 0xffffff; }

}  // namespace

std::string_view reason_text(reason why) noexcept {
  switch (why) {
    case reason::level:
      return "chosen by the level";
    case reason::smallest:
      return "smallest in trial";
    case reason::incompressible:
      return "sample did not shrink";
    case reason::constant:
      return "constant or periodic bytes";
    case reason::not_smaller:
      return "fallback: codec did not make it smaller";
    case reason::encoder_failed:
      return "fallback: encoder failed";
    case reason::verification_failed:
      return "fallback: verification failed";
  }
  return "unknown";
}

std::vector<std::byte> serialize(const block_header& header) {
  if (header.plain_bytes == 0 || header.plain_bytes > max_block_size || header.coded_bytes == 0 ||
      header.coded_bytes > header.plain_bytes || header.plain_offset > max_plain_offset ||
      static_cast<std::uint8_t>(header.type) >= static_cast<std::uint8_t>(block_type::index)) {
    throw error(errc::internal, "block header out of range");
  }
  std::vector<std::byte> out;
  out.reserve(header.header_bytes());
  append_bytes(out, sync_word);
  std::uint8_t type = static_cast<std::uint8_t>(header.type);
  if (header.digest) type |= digest_flag;
  if (header.skippable) type |= skippable_flag;
  append_le(out, type);
  append_le(out, header.codec);
  append_le(out, header.codec_version);
  append_le(out, static_cast<std::uint8_t>(header.why));
  append_le(out, header.parameters);
  append_le(out, header.plain_bytes);
  append_le(out, header.plain_offset);
  append_le(out, header.coded_hash);
  append_le(out, header.plain_hash);
  append_le(out, header.coded_bytes);
  append_le(out, header.mask);
  if (header.digest) append_bytes(out, *header.digest);
  append_le(out, header_check(out));
  return out;
}

bool has_sync_word(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= sync_word.size() &&
         std::equal(sync_word.begin(), sync_word.end(), bytes.begin());
}

std::optional<block_header> find_block_header(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < block_header_bytes || !has_sync_word(bytes)) return {};
  const auto type = std::to_integer<std::uint8_t>(bytes[sync_word.size()]);
  const bool has_digest = (type & digest_flag) != 0;
  const std::size_t size = block_header_bytes + (has_digest ? digest_bytes : 0);
  if (bytes.size() < size) return {};
  const auto checked = bytes.first(size - sizeof(std::uint32_t));
  if (header_check(checked) != load_le<std::uint32_t>(bytes.data() + checked.size())) return {};

  cursor in(checked.subspan(sync_word.size() + 1));
  block_header header;
  header.type = static_cast<block_type>(type & type_mask);
  header.skippable = (type & skippable_flag) != 0;
  header.codec = in.u8();
  header.codec_version = in.u8();
  header.why = static_cast<reason>(in.u8());
  header.parameters = in.u32();
  header.plain_bytes = in.u32();
  header.plain_offset = in.u64();
  header.coded_hash = in.u64();
  header.plain_hash = in.u64();
  header.coded_bytes = in.u32();
  header.mask = in.u8();
  if (has_digest) {
    const auto digest = in.bytes(digest_bytes);
    std::copy(digest.begin(), digest.end(), header.digest.emplace().begin());
  }
  const bool possible = header.type != block_type::index && header.type != block_type::trailer &&
                        header.plain_bytes >= 1 && header.plain_bytes <= max_block_size &&
                        header.coded_bytes >= 1 && header.coded_bytes <= header.plain_bytes &&
                        header.plain_offset <= max_plain_offset;
  if (!possible) return {};
  return header;
}

bool contains_block_header(std::span<const std::byte> bytes) noexcept {
  while (bytes.size() >= block_header_bytes) {
    const void* at = std::memchr(bytes.data(), std::to_integer<int>(sync_word[0]), bytes.size());
    if (at == nullptr) return false;
    bytes =
        bytes.subspan(static_cast<std::size_t>(static_cast<const std::byte*>(at) - bytes.data()));
    if (find_block_header(bytes)) return true;
    bytes = bytes.subspan(1);
  }
  return false;
}

std::uint8_t choose_mask(std::span<const std::byte> payload) noexcept {
  const std::span<const std::byte, 4> sync(sync_word);
  const auto start = std::span(magic).first<4>();
  if (!contains(payload, sync) && !contains(payload, start)) return 0;

  // One pass finds every mask under which a marker would stand somewhere.
  std::array<bool, 256> excluded{};
  const std::uint32_t sync_differences = differences(load_le<std::uint32_t>(sync.data()));
  const std::uint32_t magic_differences = differences(load_le<std::uint32_t>(start.data()));
  for (std::size_t i = 0; i + 4 <= payload.size(); ++i) {
    const std::uint32_t found = differences(load_le<std::uint32_t>(payload.data() + i));
    if (found == sync_differences)
      excluded[std::to_integer<std::size_t>(payload[i] ^ sync[0])] = true;
    if (found == magic_differences)
      excluded[std::to_integer<std::size_t>(payload[i] ^ start[0])] = true;
  }
  const auto free = std::find(excluded.begin(), excluded.end(), false);
  return free == excluded.end() ? 0 : static_cast<std::uint8_t>(free - excluded.begin());
}

void apply_mask(std::span<std::byte> payload, std::uint8_t mask) noexcept {
  if (mask == 0) return;
  for (std::byte& byte : payload) byte ^= std::byte{mask};
}

bool unseal(const block_header& header, std::span<std::byte> payload) noexcept {
  if (xxh3_64(payload) != header.coded_hash) return false;
  apply_mask(payload, header.mask);
  return true;
}

bool is_model_piece(const block_header& header, std::span<const std::byte> payload) noexcept {
  return header.type == block_type::model && header.codec == stored_codec &&
         header.plain_bytes == payload.size() && header.plain_hash == xxh3_64(payload) &&
         (!header.digest || *header.digest == sha256_of(payload));
}

error unknown_block_type(const block_header& header, std::uint64_t offset) {
  return {
      errc::unsupported,
      "needs a newer lmzip (block type " + std::to_string(static_cast<unsigned>(header.type)) + ")",
      offset};
}

std::string corrupt_block_text(std::uint64_t number, std::uint64_t offset) {
  const std::string which =
      number == 0 ? "corrupt block" : "corrupt block " + std::to_string(number);
  return which + " at offset " + std::to_string(offset);
}

}  // namespace lmzip::container
