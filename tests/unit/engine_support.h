#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "lmzip/compress.h"
#include "lmzip/decompress.h"
#include "lmzip/error.h"
#include "lmzip/stream.h"

// What the tests of engine and library share.
namespace lmzip::test {

using bytes = std::vector<std::byte>;

inline bytes random_bytes(std::size_t count, unsigned seed = 1) {
  std::mt19937 generator(seed);
  bytes result(count);
  for (std::byte& b : result) b = static_cast<std::byte>(generator());
  return result;
}

inline bytes prose(std::size_t count, unsigned seed = 1) {
  static const char* const words[] = {"the ", "archive ",  "holds ", "blocks, ", "each ", "with ",
                                      "its ", "checksum ", "and ",   "size.\n",  "so ",   "that "};
  std::mt19937 generator(seed);
  std::string text;
  while (text.size() < count) text += words[generator() % std::size(words)];
  const auto all = std::as_bytes(std::span(text).first(count));
  return {all.begin(), all.end()};
}

/// Prose, noise and zeros by turns, so that all codecs occur.
inline bytes mixture(std::size_t count) {
  bytes result;
  for (unsigned part = 0; result.size() < count; ++part) {
    const bytes next = part % 3 == 0   ? prose(5000, part)
                       : part % 3 == 1 ? random_bytes(4096, part)
                                       : bytes(9000);
    result.insert(result.end(), next.begin(), next.end());
  }
  result.resize(count);
  return result;
}

/// Fails the n-th operation (0: the first) with an exception of a kind; then goes on failing.
struct fault {
  enum class kind { io, memory };
  int at = -1;  ///< -1: never
  kind how = kind::io;
  int done = 0;

  void count() {
    if (at < 0 || done++ < at) return;
    if (how == kind::memory) throw std::bad_alloc();
    throw error(errc::io, "made to fail");
  }
};

class test_source final : public source {
 public:
  explicit test_source(const bytes& from, std::size_t most = ~std::size_t{0}, fault* plan = nullptr)
      : from_(from), most_(most), fault_(plan) {}

  std::size_t read(std::span<std::byte> out) override {
    if (fault_) fault_->count();
    const std::size_t count = std::min({out.size(), most_, from_.size() - position_});
    if (count > 0) std::memcpy(out.data(), from_.data() + position_, count);
    position_ += count;
    return count;
  }

 private:
  const bytes& from_;
  std::size_t most_;
  fault* fault_;
  std::size_t position_ = 0;
};

class test_sink final : public sink {
 public:
  explicit test_sink(fault* plan = nullptr) : fault_(plan) {}

  void write(std::span<const std::byte> data) override {
    if (fault_) fault_->count();
    content.insert(content.end(), data.begin(), data.end());
  }

  bytes content;

 private:
  fault* fault_;
};

/// The code of the error that `action` throws; errc{0} if it throws none.
template <typename Action>
errc failure_of(Action action) {
  try {
    action();
  } catch (const error& cause) {
    return cause.code();
  }
  return errc{0};
}

inline compress_options small_blocks(int level = 1) {
  compress_options options;
  options.level = level;
  options.block_bytes = min_block_bytes;
  return options;
}

}  // namespace lmzip::test
