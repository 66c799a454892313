#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/hash.h"
#include "formats/container/format.h"
#include "formats/container/input.h"
#include "lmzip/error.h"
#include "lmzip/stream.h"

namespace lmzip::container {

struct reader_options {
  /// Payloads are read over: block::payload stays empty and coded_hash is not checked.
  bool skip_payloads = false;

  /// Damage does not end the reading: next() returns a damage event and goes on at the next
  /// intact structure.
  bool resynchronise = false;

  /// Largest model that a member may bring along, in bytes; 0: what the format allows.
  std::uint64_t model_limit = 0;
};

// What the reader finds, in the order of the archive. All offsets are positions in the archive.

struct member_begin {
  member_header header;
  std::uint64_t offset = 0;
  /// The header was lost (resynchronise only): nothing in `header` but `strong` is known, block
  /// size is the largest there is, codec_data is zero.
  bool header_lost = false;
  /// The model that the member brings along, if it does and payloads are not skipped; nullptr if it
  /// was lost, which a damage event then tells. Its id was not checked.
  std::shared_ptr<const std::vector<std::byte>> model_file = nullptr;
};

struct block {
  block_header header;
  std::vector<std::byte> payload;  ///< as the codec wrote it (mask taken off), hash checked
  std::uint64_t offset = 0;        ///< of the block header
  std::uint64_t number = 0;        ///< from 1 within the member; 0: unknown, after damage
};

struct member_end {
  trailer end;               ///< what was found by counting if trailer_lost
  std::uint64_t offset = 0;  ///< of the first byte after the member
  bool trailer_lost = false;
};

struct damage {
  errc code = errc::damaged;  ///< damaged, truncated, not_lmzip or unsupported
  std::string text;           ///< one line
  std::uint64_t offset = 0;
  std::uint64_t plain_offset = 0;  ///< where the lost bytes belong, within the member
  std::uint64_t plain_bytes = 0;   ///< how many plain bytes are lost; 0: none or unknown
};

struct end_of_archive {};

using event = std::variant<member_begin, block, member_end, damage, end_of_archive>;

/// Reads an archive front to back from a pipe and checks all that can be checked without decoding:
/// hashes of headers, payloads, index and trailer, and that they agree with each other. Plain
/// hashes are left to the caller.
///
/// Blocks of unknown skippable types are read over. Memory: one payload and 1 MiB, or two payloads
/// when resynchronising; sizes are checked against the member header before they are believed, and
/// memory is taken only as bytes arrive. Time is linear in the archive. Not thread-safe.
class stream_reader {
 public:
  explicit stream_reader(source& from, reader_options options = {})
      : input_(from), options_(options) {}

  /// The next event; end_of_archive for ever once the archive has ended. Throws error:
  ///   not_lmzip    the input is empty or begins with something else
  ///   truncated    it ends inside a member
  ///   damaged      anything contradicts its checksum or its neighbours, or data that is neither
  ///                zero nor a member follows the last member
  ///   unsupported  a newer format version, feature or essential block type
  ///   memory_limit the model of a member is larger than model_limit
  ///   io           from the source
  /// and must not be called again after that. If resynchronising, only memory_limit
  /// and io are thrown.
  event next();

  /// Takes the memory of a payload that is no longer needed, for the next one: new memory costs
  /// more than reading and hashing does.
  void reuse(std::vector<std::byte> memory) noexcept;

 private:
  enum class state { start, between, member, scanning, done };

  struct fault {
    errc code;
    std::string text;
    std::uint64_t offset;
  };

  void step();
  std::span<const std::byte> need(std::size_t count);
  void read_member_start();
  void read_padding();
  void begin_member(const member_header& header, std::span<const std::byte> bytes,
                    std::uint64_t offset, bool lost);
  void read_structure();
  void read_block();
  void check_block(const block_header& header) const;
  void expect_model(const member_begin& begin);
  void take_model_block(const block& piece);
  void release_member();
  bool read_payload(block& found);
  void record(const block_header& header);
  void read_segment();
  void read_trailer();
  std::uint64_t next_number() const noexcept { return complete_ ? blocks_ + 1 : 0; }
  std::string truncated_block_text(const block& found) const;

  // Resynchronisation (resynchronise.cpp).
  void begin_scan(const error& cause);
  void scan();
  bool accept(std::span<const std::byte> ahead);
  bool accept_header(std::span<const std::byte> ahead);
  bool accept_block(const block_header& header);
  bool accept_trailer(const trailer& end);
  void begin_member_without_header(bool strong);
  void end_member_without_trailer();
  void report(std::uint64_t plain_bytes);
  void scan_ended();
  bool continues_after(const block_header& header);
  void payload_failed(block& found, const error& cause);

  input input_;
  reader_options options_;
  state state_ = state::start;
  std::deque<event> pending_;
  std::vector<std::byte> spare_;

  // The member being read.
  bool strong_ = false;
  bool complete_ = true;  // every structure of the member so far was seen
  std::uint32_t block_bytes_ = max_block_size;
  std::uint64_t member_offset_ = 0;
  std::optional<member_begin> awaits_model_;  // its event follows when its model is complete
  std::vector<std::byte> model_;
  bool model_lost_ = false;
  std::uint64_t plain_bytes_ = 0;
  std::uint64_t blocks_ = 0;
  std::vector<index_entry> entries_;  // since the last segment
  std::uint64_t segment_offset_ = 0;  // of the last segment; 0: none
  std::uint32_t segment_bytes_ = 0;
  bool after_segment_ = false;
  sha256 headers_hash_;

  // Resynchronisation.
  bool in_member_ = false;
  bool foreign_ = false;  // inside a member that this code cannot read
  std::optional<fault> fault_;
  std::uint64_t rescanned_ = 0;
};

}  // namespace lmzip::container
