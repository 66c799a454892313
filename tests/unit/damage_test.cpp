#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lmzip/compress.h"
#include "lmzip/decompress.h"
#include "lmzip/error.h"

using namespace lmzip;

namespace {

using bytes = std::vector<std::byte>;

class memory_source : public source {
 public:
  explicit memory_source(std::span<const std::byte> data) : data_(data) {}

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t count = std::min(out.size(), data_.size());
    std::copy_n(data_.begin(), count, out.begin());
    data_ = data_.subspan(count);
    return count;
  }

 private:
  std::span<const std::byte> data_;
};

class memory_sink : public sink {
 public:
  void write(std::span<const std::byte> data) override {
    written.insert(written.end(), data.begin(), data.end());
  }

  bytes written;
};

bytes to_bytes(std::string_view text) {
  const auto view = std::as_bytes(std::span(text));
  return {view.begin(), view.end()};
}

bool is_damage(errc code) {
  return code == errc::damaged || code == errc::truncated || code == errc::not_lmzip;
}

// Whether decoding `archive` ends as damage must: an error that says so, after nothing but a
// beginning of `plain`.
bool seen_as_damage(const bytes& archive, const bytes& plain) {
  memory_source from(archive);
  memory_sink to;
  bool reported = false;
  try {
    decompress(from, to);
  } catch (const error& fault) {
    reported = is_damage(fault.code());
  }
  return reported && to.written.size() <= plain.size() &&
         std::equal(to.written.begin(), to.written.end(), plain.begin());
}

bytes text_of_several_lines() {
  std::string text;
  for (int line = 0; line < 6; ++line)
    text += "line " + std::to_string(line) + " of a short text\n";
  return to_bytes(text);
}

bytes compressed(const bytes& plain, int level, bool strong) {
  compress_options options;
  options.level = level;
  options.strong = strong;
  return compress(plain, options);
}

void flip_every_bit(bytes archive, const bytes& plain) {
  for (std::size_t at = 0; at < archive.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      archive[at] ^= std::byte{1} << bit;
      CAPTURE(at);
      CAPTURE(bit);
      CHECK(seen_as_damage(archive, plain));
      archive[at] ^= std::byte{1} << bit;
    }
  }
}

void cut_everywhere(const bytes& archive, const bytes& plain, std::size_t whole_at) {
  for (std::size_t size = 0; size < archive.size(); ++size) {
    if (size == whole_at) continue;
    CAPTURE(size);
    CHECK(seen_as_damage(bytes(archive.begin(), archive.begin() + static_cast<long>(size)), plain));
  }
}

}  // namespace

TEST_CASE("every flipped bit of a small archive is seen as damage and no wrong byte gets out") {
  const bytes plain = text_of_several_lines();
  for (const int level : {1, 6})
    for (const bool strong : {false, true}) flip_every_bit(compressed(plain, level, strong), plain);
  flip_every_bit(compressed({}, 6, false), {});
}

TEST_CASE("every cut of a small archive is seen as damage and no wrong byte gets out") {
  const bytes plain = text_of_several_lines();
  for (const int level : {1, 6}) {
    const bytes archive = compressed(plain, level, false);
    cut_everywhere(archive, plain, archive.size());
  }
}

TEST_CASE("every flip and cut of two concatenated archives leaves the first or a beginning of it") {
  const bytes plain = text_of_several_lines();
  const bytes one = compressed(plain, 1, false);
  bytes two = one;
  two.insert(two.end(), one.begin(), one.end());
  bytes twice = plain;
  twice.insert(twice.end(), plain.begin(), plain.end());
  flip_every_bit(two, twice);
  cut_everywhere(two, twice, one.size());
}
