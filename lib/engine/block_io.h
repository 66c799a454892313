#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "engine/byte_buffer.h"
#include "lmzip/stream.h"

namespace lmzip::engine {

/// Reads up to `block_bytes` into the front of `into`, fewer only at the end of the data, and
/// returns how many: block borders do not depend on how a pipe cuts its data. Takes memory as the
/// bytes arrive. Throws what the source throws, and error(internal) if it breaks its contract.
std::size_t read_block(source& in, std::uint64_t block_bytes, byte_buffer& into);

/// Reads a byte string.
class span_source final : public source {
 public:
  explicit span_source(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t count = std::min(out.size(), rest_.size());
    if (count > 0) std::memcpy(out.data(), rest_.data(), count);
    rest_ = rest_.subspan(count);
    return count;
  }

 private:
  std::span<const std::byte> rest_;
};

/// Collects what is written.
class vector_sink final : public sink {
 public:
  void write(std::span<const std::byte> data) override {
    bytes.insert(bytes.end(), data.begin(), data.end());
  }

  std::vector<std::byte> bytes;
};

/// Passes reads on and counts them.
class counting_source final : public source {
 public:
  explicit counting_source(source& from) : from_(from) {}

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t count = from_.read(out);
    bytes_ += count;
    return count;
  }

  std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  source& from_;
  std::uint64_t bytes_ = 0;
};

}  // namespace lmzip::engine
