#include "archive/chunks/chunk_table.h"

#include <algorithm>

#include "core/varint.h"

namespace lmzip::archive {
namespace {

constexpr std::size_t hash_bytes = sizeof(hash256);

/// A length that the constructor of the reader has checked.
std::uint32_t take_length(std::span<const std::byte>& lengths) noexcept {
  std::uint32_t length = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = std::to_integer<std::uint32_t>(lengths.front());
    lengths = lengths.subspan(1);
    length |= (byte & 127) << shift;
    if (byte < 128) return length;
  }
}

}  // namespace

std::vector<std::byte> write_chunk_table(std::span<const chunk_entry> chunks) {
  std::vector<std::byte> table;
  table.reserve(10 + chunks.size() * (hash_bytes + 3));
  write_varint(table, chunks.size());
  for (const chunk_entry& chunk : chunks) {
    if (chunk.bytes == 0) throw error(errc::internal, "an empty chunk in a table of chunks");
    write_varint(table, chunk.bytes);
  }
  for (const chunk_entry& chunk : chunks)
    table.insert(table.end(), chunk.hash.begin(), chunk.hash.end());
  return table;
}

chunk_table_reader::chunk_table_reader(std::span<const std::byte> table,
                                       const chunk_table_limits& limits, std::uint64_t base) {
  cursor in(table, base);
  // Each chunk has a byte of length and a hash at least.
  count_ = read_varint(in, table.size() / (hash_bytes + 1));
  const std::size_t start = in.position();
  for (std::uint64_t i = 0; i < count_; ++i) {
    const std::uint64_t at = in.offset();
    const std::uint64_t length = read_varint(
        in, std::min<std::uint64_t>(limits.chunk_bytes, limits.plain_bytes - plain_bytes_));
    if (length == 0) throw error(errc::damaged, "an empty chunk in a table of chunks", at);
    plain_bytes_ += length;
  }
  lengths_ = table.subspan(start, in.position() - start);
  hashes_ = in.bytes(static_cast<std::size_t>(count_) * hash_bytes);
  if (in.remaining() != 0)
    throw error(errc::damaged, "bytes behind the end of a table of chunks", in.offset());
}

bool chunk_table_reader::next(chunk_entry& chunk) noexcept {
  if (lengths_.empty()) return false;
  chunk.bytes = take_length(lengths_);
  std::copy_n(hashes_.begin(), hash_bytes, chunk.hash.begin());
  hashes_ = hashes_.subspan(hash_bytes);
  return true;
}

std::vector<chunk_entry> read_chunk_table(std::span<const std::byte> table,
                                          const chunk_table_limits& limits, std::uint64_t base) {
  chunk_table_reader reader(table, limits, base);
  std::vector<chunk_entry> chunks(static_cast<std::size_t>(reader.size()));
  for (chunk_entry& chunk : chunks) reader.next(chunk);
  return chunks;
}

}  // namespace lmzip::archive
