#include <doctest/doctest.h>

#include <optional>
#include <random>
#include <vector>

#include "archive/chunks/chunk_table.h"
#include "lmzip/error.h"

using namespace lmzip;
using archive::chunk_entry;
using archive::chunk_table_limits;
using archive::read_chunk_table;
using archive::write_chunk_table;

namespace {

hash256 hash_of(unsigned seed) {
  std::mt19937 generator(seed);
  hash256 hash;
  for (std::byte& b : hash) b = static_cast<std::byte>(generator());
  return hash;
}

std::vector<chunk_entry> entries(std::initializer_list<std::uint32_t> lengths) {
  std::vector<chunk_entry> chunks;
  for (const std::uint32_t bytes : lengths)
    chunks.push_back({hash_of(static_cast<unsigned>(chunks.size())), bytes});
  return chunks;
}

/// The error that reading gives, or nothing.
std::optional<error> fault_of(const std::vector<std::byte>& table,
                              const chunk_table_limits& limits = {}) {
  try {
    read_chunk_table(table, limits, 1000);
  } catch (const error& e) {
    return e;
  }
  return std::nullopt;
}

bool is_damaged(const std::vector<std::byte>& table, std::uint64_t offset,
                const chunk_table_limits& limits = {}) {
  const auto fault = fault_of(table, limits);
  return fault && fault->code() == errc::damaged && fault->offset() == 1000 + offset;
}

std::vector<std::byte> table_of(std::initializer_list<int> numbers, std::size_t hashes) {
  std::vector<std::byte> table;
  for (const int n : numbers) table.push_back(static_cast<std::byte>(n));
  table.resize(table.size() + hashes * 32);
  return table;
}

}  // namespace

TEST_CASE("tables of chunks come back") {
  for (const auto& chunks :
       {entries({}), entries({1}), entries({127, 128, 16383, 16384, 131072, 0xffffffff})}) {
    CHECK(read_chunk_table(write_chunk_table(chunks)) == chunks);
  }
}

TEST_CASE("a chunk takes 34 or 35 bytes") {
  CHECK(write_chunk_table(entries({})).size() == 1);
  CHECK(write_chunk_table(entries({200, 16383})).size() == 1 + 2 * 34);
  CHECK(write_chunk_table(entries({16384, 131072})).size() == 1 + 2 * 35);
}

TEST_CASE("the bytes of a table are as described") {
  const auto chunks = entries({5, 300});
  std::vector<std::byte> expected{std::byte{2}, std::byte{5}, std::byte{0xac}, std::byte{2}};
  for (const auto& chunk : chunks)
    expected.insert(expected.end(), chunk.hash.begin(), chunk.hash.end());
  CHECK(write_chunk_table(chunks) == expected);
}

TEST_CASE("a reader tells the sums and goes from chunk to chunk") {
  const auto table = write_chunk_table(entries({5, 300}));
  archive::chunk_table_reader reader(table);
  CHECK(reader.size() == 2);
  CHECK(reader.plain_bytes() == 305);
  chunk_entry chunk;
  CHECK(reader.next(chunk));
  CHECK(chunk == chunk_entry{hash_of(0), 5});
  CHECK(reader.next(chunk));
  CHECK(chunk == chunk_entry{hash_of(1), 300});
  CHECK_FALSE(reader.next(chunk));
  CHECK_FALSE(reader.next(chunk));
}

TEST_CASE("an empty chunk is not written") {
  try {
    write_chunk_table(entries({0}));
    FAIL("written");
  } catch (const error& e) {
    CHECK(e.code() == errc::internal);
  }
}

TEST_CASE("every cut of a table is seen") {
  const auto table = write_chunk_table(entries({1, 128, 16384}));
  for (std::size_t size = 0; size < table.size(); ++size) {
    const auto fault = fault_of({table.begin(), table.begin() + static_cast<std::ptrdiff_t>(size)});
    CHECK(fault.has_value());
  }
}

TEST_CASE("false tables are refused with the place of the fault") {
  CHECK_FALSE(fault_of(table_of({1, 7}, 1)).has_value());
  CHECK(is_damaged(table_of({1, 0}, 1), 1));        // an empty chunk
  CHECK(is_damaged(table_of({1, 7, 0}, 1), 34));    // a byte too many
  CHECK(is_damaged(table_of({0x81, 0, 7}, 1), 0));  // a number that could be shorter
  CHECK(is_damaged(table_of({1, 0x87, 0}, 1), 1));
  CHECK(is_damaged(table_of({3, 1, 1, 1}, 2), 0));  // more chunks than bytes for them
  CHECK(is_damaged(table_of({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 1), 0));
  CHECK(is_damaged(table_of({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, 1), 0));
  CHECK(is_damaged(table_of({1, 0xff, 0xff, 0xff, 0xff, 0x1f}, 1), 1));  // a length over 32 bits
}

TEST_CASE("limits hold for each chunk and for all together") {
  const auto table = write_chunk_table(entries({100, 100, 100}));
  CHECK_FALSE(fault_of(table, {.plain_bytes = 300, .chunk_bytes = 100}).has_value());
  CHECK(is_damaged(table, 1, {.plain_bytes = 300, .chunk_bytes = 99}));
  CHECK(is_damaged(table, 3, {.plain_bytes = 299, .chunk_bytes = 100}));
  CHECK(is_damaged(table, 1, {.plain_bytes = 0, .chunk_bytes = 100}));
}
