#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "formats/container/format.h"
#include "formats/container/reader.h"

namespace lmzip::container {

/// Reads up to `out.size()` bytes at `offset` of an archive and returns how many; fewer only at
/// the end of the archive. Throws error(io).
using read_at_function = std::function<std::size_t(std::uint64_t offset, std::span<std::byte> out)>;

/// A member found through its trailer. Header and trailer are checked, the rest was not read.
struct member_location {
  std::uint64_t offset = 0;
  member_header header;
  std::uint64_t header_bytes = 0;
  trailer end;
};

/// A stretch of the archive that belongs to no member that could be found.
struct gap {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// All members of an archive, in its order.
struct member_list {
  std::vector<member_location> members;
  std::vector<gap> gaps;         ///< between and before members: damage
  std::uint64_t end_offset = 0;  ///< just after the last member
  /// Bytes after end_offset that are not all zero: a torn append or other trailing data.
  bool torn = false;
};

/// Finds the members of an archive of `size` bytes from its end backwards, through their trailers,
/// without reading the blocks. Where no trailer stands where one should, the archive is searched
/// backwards for the one before; time is linear in what is searched so. Damage is reported in the
/// result. Throws error: not_lmzip (no member found), unsupported (a member in a newer format), io.
member_list find_members(const read_at_function& read_at, std::uint64_t size);

/// Where a block stands.
struct block_location {
  std::uint64_t offset = 0;        ///< of its header, in the archive
  std::uint64_t plain_offset = 0;  ///< within the member
  index_entry sizes;
};

/// Reads the index of a member: all its blocks in order. Takes 24 bytes of memory a block, and
/// never more than the archive holds entries for. Throws error(damaged) if the index contradicts
/// itself or the trailer; then stream_reader still finds the blocks. Throws error(io).
std::vector<block_location> read_index(const read_at_function& read_at,
                                       const member_location& member);

/// Reads the model that a member brings along from its first blocks. Throws error: damaged,
/// truncated, io.
std::vector<std::byte> read_model(const read_at_function& read_at, const member_header& member,
                                  std::span<const block_location> blocks);

/// As read_block(), for a block of any type.
block read_any_block(const read_at_function& read_at, const member_header& member,
                     const block_location& place, std::uint64_t number,
                     std::vector<std::byte> into = {});

/// Reads the block of a member that stands at `place`, and checks the hashes of its header and its
/// payload and that both agree with the index and the member. `number` is for errors, from 1 within
/// the member, 0: unknown. `into` is used for the payload, whatever it holds. Throws error:
/// damaged, unsupported (no data block), truncated, io.
block read_block(const read_at_function& read_at, const member_header& member,
                 const block_location& place, std::uint64_t number,
                 std::vector<std::byte> into = {});

}  // namespace lmzip::container
