#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.h"
#include "lmzip/error.h"

/// The lmzip container: bytes <-> structure. formats/SPEC.md is the norm; a test compares the
/// constants below with it. Nothing here knows codecs, threads or the operating system.
namespace lmzip::container {

// ---- constants -------------------------------------------------------------------------------

inline constexpr std::array<std::byte, 8> magic = {
    std::byte{0x89}, std::byte{'L'},  std::byte{'M'},  std::byte{'Z'},
    std::byte{0x0d}, std::byte{0x0a}, std::byte{0x1a}, std::byte{0x0a}};

/// Every structure but the member header begins with these bytes and a type byte.
inline constexpr std::array<std::byte, 4> sync_word = {std::byte{0xfb}, std::byte{'L'},
                                                       std::byte{'Z'}, std::byte{0x16}};

/// The last bytes of a member.
inline constexpr std::array<std::byte, 4> end_magic = {std::byte{0x16}, std::byte{'Z'},
                                                       std::byte{'L'}, std::byte{0xfb}};

inline constexpr std::uint16_t format_version = 0;
inline constexpr std::uint16_t tree_version = 0;  ///< of trees in members

inline constexpr std::size_t frozen_header_bytes = 12;  ///< magic, version, size: in all versions
inline constexpr std::size_t min_header_bytes = 72;     ///< a header without optional fields
inline constexpr std::size_t max_header_bytes = 8192;   ///< of format version 0
inline constexpr std::size_t max_name_bytes = 4096;
inline constexpr std::size_t block_header_bytes = 49;   ///< without digest
inline constexpr std::size_t digest_bytes = 32;         ///< --strong
inline constexpr std::size_t segment_fixed_bytes = 28;  ///< of an index segment: header and hash
inline constexpr std::size_t index_entry_bytes = 8;
inline constexpr std::size_t max_segment_entries = 16384;
inline constexpr std::size_t max_segment_extra_bytes = std::size_t{1} << 24;
inline constexpr std::size_t trailer_bytes = 80;

/// Archives in a chain of which each is needed to decode the one before.
inline constexpr std::uint16_t max_base_depth = 255;

/// Of a model that an archive brings along.
inline constexpr std::uint64_t max_model_bytes = std::uint64_t{1} << 28;

/// How far back the references of a member may reach.
inline constexpr std::uint64_t max_window = std::uint64_t{1} << 40;

inline constexpr std::uint32_t min_block_size = std::uint32_t{1} << 12;
inline constexpr std::uint32_t max_block_size = std::uint32_t{1} << 30;

/// A member of n blocks is at most so much larger than its payloads: archive_overhead_bytes +
/// n * block_overhead_bytes, plus the optional header fields, plus digest_bytes a block if strong,
/// plus segment_fixed_bytes for each full max_segment_entries blocks.
inline constexpr std::size_t archive_overhead_bytes =
    min_header_bytes + segment_fixed_bytes + trailer_bytes;
inline constexpr std::size_t block_overhead_bytes = block_header_bytes + index_entry_bytes;

/// Type byte: six bits of type, two flags.
enum class block_type : std::uint8_t {
  data = 0,
  reference = 1,  ///< data of which some bytes stand earlier in the member
  metadata = 2,   ///< what a tree is: members that hold one end with such blocks
  model = 3,      ///< a piece of the model file, stored
  index = 62,
  trailer = 63,
};
inline constexpr std::uint8_t stored_codec = 0;  ///< the payload is the plain bytes
inline constexpr std::uint8_t type_mask = 0x3f;
inline constexpr std::uint8_t digest_flag = 0x40;     ///< a SHA-256 stands in the block header
inline constexpr std::uint8_t skippable_flag = 0x80;  ///< readers that do not know the type skip it

/// Why a block has the codec it has; for people, decoders ignore it.
enum class reason : std::uint8_t {
  level = 0,                ///< the level prescribes it
  smallest = 1,             ///< smallest in trial
  incompressible = 2,       ///< a sample did not shrink
  constant = 3,             ///< constant or periodic bytes
  not_smaller = 4,          ///< fallback: the chosen codec did not make the block smaller
  encoder_failed = 5,       ///< fallback: the chosen encoder failed
  verification_failed = 6,  ///< fallback: decoding did not give the bytes back
};

/// In words, for `lmzip info`; "unknown" for values of newer writers.
std::string_view reason_text(reason why) noexcept;

// ---- structures ------------------------------------------------------------------------------

struct member_header {
  bool strong = false;                         ///< every block carries a SHA-256 of its plain bytes
  std::uint32_t block_bytes = max_block_size;  ///< largest plain size of a block
  std::uint64_t memory = 0;  ///< upper bound of what decoding one block needs, in bytes
  hash256 codec_data{};      ///< vocabulary and parameters the codecs need; zero: none
  std::optional<hash256> model;
  /// Size of the model's file, if the member begins with it; else 0. Only with `model`.
  std::uint64_t model_bytes = 0;
  /// Blocks may need tensors from outside the archive, which are at the end of a chain of so many
  /// archives, this one included; 0: none does.
  std::uint16_t base_depth = 0;
  /// Plain bytes before a block that it may refer to, at most max_window; 0: none.
  std::uint64_t window = 0;
  /// The plain bytes are parts of a tree's files, in no order that a user knows (lib/archive).
  bool tree = false;
  std::string name;  ///< bytes without NUL, at most max_name_bytes; empty: not stored
};

struct block_header {
  block_type type = block_type::data;
  bool skippable = false;
  std::uint8_t codec = 0;
  std::uint8_t codec_version = 0;
  reason why = reason::level;
  std::uint32_t parameters = 0;
  std::uint32_t plain_bytes = 0;   ///< 1 .. member_header::block_bytes
  std::uint64_t plain_offset = 0;  ///< within the member
  std::uint64_t coded_hash = 0;    ///< XXH3-64 of the payload as it stands in the file
  std::uint64_t plain_hash = 0;    ///< XXH3-64 of the plain bytes
  std::uint32_t coded_bytes = 0;   ///< 1 .. plain_bytes
  std::uint8_t mask = 0;           ///< every byte of the payload is XORed with it in the file
  std::optional<hash256> digest;   ///< SHA-256 of the plain bytes; present iff the member is strong

  /// Whether the plain bytes are part of the member's plain stream.
  bool in_stream() const noexcept {
    return type == block_type::data || type == block_type::reference;
  }
  /// Whether readers give it to their callers.
  bool is_known() const noexcept { return in_stream() || type == block_type::metadata; }
  std::size_t header_bytes() const noexcept {
    return block_header_bytes + (digest ? digest_bytes : 0);
  }
};

/// One block in the index. Positions follow by summing.
struct index_entry {
  std::uint32_t plain_bytes = 0;  ///< what the block adds to the plain stream; may be 0
  std::uint32_t coded_bytes = 0;  ///< payload only

  friend bool operator==(const index_entry&, const index_entry&) = default;
};

/// A part of the index: the blocks since the segment before it.
struct index_segment {
  std::uint64_t previous_distance = 0;  ///< from the start of the segment before; 0: the first
  std::vector<index_entry> entries;     ///< at most max_segment_entries
};

struct trailer {
  std::uint64_t member_bytes = 0;  ///< from the first byte of the header to the last of the trailer
  std::uint64_t plain_bytes = 0;
  std::uint64_t blocks = 0;
  hash256 headers_hash{};         ///< SHA-256 of the member header and all block headers
  std::uint32_t index_bytes = 0;  ///< size of the segment before the trailer
};

// ---- bytes <-> structure ---------------------------------------------------------------------
//
// `offset` is the place in the archive, for errors. All parse functions throw error(damaged) if
// the bytes contradict their checksum or the limits of SPEC.md, and error(unsupported) if they are
// intact but newer than this code.

/// Throws error(internal) if the header is not one that SPEC.md allows.
std::vector<std::byte> serialize(const member_header& header);
std::vector<std::byte> serialize(const block_header& header);
std::vector<std::byte> serialize(const index_segment& segment);
std::vector<std::byte> serialize(const trailer& end);

/// Size of the member header that begins with `frozen` (frozen_header_bytes or more).
/// Throws error(damaged) if the magic or the size cannot be right.
std::size_t member_header_size(std::span<const std::byte> frozen, std::uint64_t offset);

/// `bytes` is the whole header and nothing else.
member_header parse_member_header(std::span<const std::byte> bytes, std::uint64_t offset);

/// Whether `bytes` starts with the sync word; then the type byte follows, if there is room.
bool has_sync_word(std::span<const std::byte> bytes) noexcept;

/// The block header at the front of `bytes` if there is an intact one, whatever its type, codec
/// and member. Never throws: the test for resynchronisation.
std::optional<block_header> find_block_header(std::span<const std::byte> bytes) noexcept;

/// Whether an intact block header stands anywhere in `bytes`: a sign that they are part of an
/// archive whose beginning was lost. Linear in the size.
bool contains_block_header(std::span<const std::byte> bytes) noexcept;

/// Size of the index segment that begins with `fixed` (at least 20 bytes); error(damaged) if the
/// sizes in it are past the limits.
std::size_t segment_size(std::span<const std::byte> fixed, std::uint64_t offset);

/// The number of entries of the index segment that begins with `bytes`, unchecked; 0 if there is
/// none.
std::size_t segment_entries(std::span<const std::byte> bytes) noexcept;

/// `bytes` is the whole segment and nothing else.
index_segment parse_segment(std::span<const std::byte> bytes, std::uint64_t offset);

/// `bytes` is trailer_bytes long.
trailer parse_trailer(std::span<const std::byte> bytes, std::uint64_t offset);

/// As parse_trailer(); nothing if there is no intact trailer at the front of `bytes`.
std::optional<trailer> find_trailer(std::span<const std::byte> bytes) noexcept;

// ---- payload ---------------------------------------------------------------------------------

/// The smallest mask under which `payload` contains neither the sync word nor the first four bytes
/// of the magic, so that a reader that looks for markers never finds those of an archive inside an
/// archive. 0 if there is no such mask.
std::uint8_t choose_mask(std::span<const std::byte> payload) noexcept;

/// XORs every byte with `mask`.
void apply_mask(std::span<std::byte> payload, std::uint8_t mask) noexcept;

/// Whether `payload`, as it stands in the file, is what the header says; if so, takes its mask off.
bool unseal(const block_header& header, std::span<std::byte> payload) noexcept;

/// Whether a block, its payload unsealed, is an intact piece of a model.
bool is_model_piece(const block_header& header, std::span<const std::byte> payload) noexcept;

/// Throws error(memory_limit) if the model that a member brings along is larger than `limit` bytes;
/// 0: none.
void check_model_size(const member_header& header, std::uint64_t limit);

/// What to throw for a block that a reader has to know and this one does not.
error unknown_block_type(const block_header& header, std::uint64_t offset);

/// "corrupt block N at offset X", as all errors about a block begin. Blocks are counted from 1
/// within their member; `number` 0: unknown.
std::string corrupt_block_text(std::uint64_t number, std::uint64_t offset);

}  // namespace lmzip::container
