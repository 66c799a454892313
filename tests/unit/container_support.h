#pragma once

#include <algorithm>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/endian.h"
#include "core/hash.h"
#include "formats/container/reader.h"
#include "formats/container/writer.h"
#include "lmzip/error.h"
#include "lmzip/stream.h"

namespace lmzip::container::test {

using bytes = std::vector<std::byte>;

inline bytes to_bytes(std::string_view text) {
  const auto raw = std::as_bytes(std::span(text));
  return {raw.begin(), raw.end()};
}

inline bytes random_bytes(std::size_t count, unsigned seed) {
  std::minstd_rand random(seed);
  bytes out(count);
  for (std::byte& byte : out) byte = static_cast<std::byte>(random() >> 8);
  return out;
}

inline bytes operator+(bytes left, const bytes& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

inline bytes cut(const bytes& from, std::size_t begin, std::size_t end) {
  return {from.begin() + static_cast<std::ptrdiff_t>(begin),
          from.begin() + static_cast<std::ptrdiff_t>(end)};
}

class vector_sink : public sink {
 public:
  void write(std::span<const std::byte> data) override {
    written.insert(written.end(), data.begin(), data.end());
  }
  bytes written;
};

/// Gives at most `step` bytes a read, as a pipe does.
class vector_source : public source {
 public:
  explicit vector_source(bytes data, std::size_t step = ~std::size_t{0})
      : data_(std::move(data)), step_(step) {}

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t count = std::min({out.size(), data_.size() - position_, step_});
    if (count > 0) std::memcpy(out.data(), data_.data() + position_, count);
    position_ += count;
    return count;
  }

 private:
  bytes data_;
  std::size_t step_;
  std::size_t position_ = 0;
};

/// The header of a stored block.
inline block_header stored(const bytes& plain, bool strong = false) {
  block_header header;
  header.plain_bytes = static_cast<std::uint32_t>(plain.size());
  header.plain_hash = xxh3_64(plain);
  if (strong) header.digest = sha256_of(plain);
  return header;
}

/// One member of stored blocks.
inline bytes make_member(const std::vector<bytes>& blocks, const member_header& header = {}) {
  vector_sink out;
  member_writer writer(out, header);
  for (const bytes& plain : blocks) writer.append(stored(plain, header.strong), plain);
  writer.finish();
  return out.written;
}

/// Everything the reader says, up to the end of the archive.
inline std::vector<event> read_all(const bytes& archive, reader_options options = {},
                                   std::size_t step = ~std::size_t{0}) {
  vector_source from(archive, step);
  stream_reader reader(from, options);
  std::vector<event> events;
  do {
    events.push_back(reader.next());
  } while (!std::holds_alternative<end_of_archive>(events.back()));
  return events;
}

template <class Event>
std::vector<Event> only(const std::vector<event>& events) {
  std::vector<Event> found;
  for (const event& each : events) {
    if (const auto* one = std::get_if<Event>(&each)) found.push_back(*one);
  }
  return found;
}

/// The plain bytes of stored blocks; those whose hash is wrong are a failure of the reader.
inline bytes plain_of(const std::vector<event>& events) {
  bytes plain;
  for (const block& each : only<block>(events)) plain = plain + each.payload;
  return plain;
}

struct outcome {
  bool failed = false;
  errc code = errc::internal;
  std::string text;
  std::uint64_t offset = error::no_offset;
  bytes plain;  // delivered before the error
};

/// Reads strictly and keeps what came before the error.
inline outcome read_strictly(const bytes& archive, reader_options options = {}) {
  vector_source from(archive);
  stream_reader reader(from, options);
  outcome result;
  try {
    for (;;) {
      const event next = reader.next();
      if (const auto* one = std::get_if<block>(&next)) result.plain = result.plain + one->payload;
      if (std::holds_alternative<end_of_archive>(next)) return result;
    }
  } catch (const error& cause) {
    result.failed = true;
    result.code = cause.code();
    result.text = cause.what();
    result.offset = cause.offset();
  }
  return result;
}

inline bool starts_with(const bytes& whole, const bytes& start) {
  return start.size() <= whole.size() && std::equal(start.begin(), start.end(), whole.begin());
}

template <std::unsigned_integral T>
void patch(bytes& archive, std::size_t at, T value) {
  store_le(archive.data() + at, value);
}

/// Makes the hash of the member header at the front right again.
inline void rehash_header(bytes& archive) {
  const std::size_t size = load_le<std::uint16_t>(archive.data() + 10);
  patch(archive, size - 8, xxh3_64(std::span(archive).first(size - 8)));
}

/// Makes the check of the block header at `at` right again.
inline void rehash_block(bytes& archive, std::size_t at) {
  const bool digest = (archive[at + 4] & std::byte{digest_flag}) != std::byte{0};
  const std::size_t size = block_header_bytes + (digest ? digest_bytes : 0) - 4;
  patch(archive, at + size,
        static_cast<std::uint32_t>(xxh3_64(std::span(archive).subspan(at, size))));
}

/// Makes the hash of the trailer at the end right again.
inline void rehash_trailer(bytes& archive) {
  const std::size_t at = archive.size() - trailer_bytes;
  patch(archive, at + 68, xxh3_64(std::span(archive).subspan(at, 68)));
}

}  // namespace lmzip::container::test
