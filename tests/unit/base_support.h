#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "engine/byte_buffer.h"
#include "engine_support.h"
#include "lmzip/base.h"

// Checkpoints in memory for the tests of bases.
namespace lmzip::test {

/// A byte string that can be read anywhere.
class memory_file final : public seekable_source {
 public:
  explicit memory_file(bytes content) : content_(std::move(content)) {}

  std::uint64_t size() override { return content_.size(); }

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    if (offset >= content_.size()) return 0;
    const auto at = static_cast<std::size_t>(offset);
    const std::size_t count = std::min(out.size(), content_.size() - at);
    if (count > 0) std::memcpy(out.data(), content_.data() + at, count);
    return count;
  }

 private:
  bytes content_;
};

inline base_input input_of(std::string name, bytes content) {
  return {std::move(name), std::make_shared<memory_file>(std::move(content))};
}

/// A base of files named 0, 1, ….
inline base_handle base_of(const std::vector<bytes>& files, const base_options& options = {}) {
  std::vector<base_input> inputs;
  for (const bytes& file : files) inputs.push_back(input_of(std::to_string(inputs.size()), file));
  return open_base(std::move(inputs), options);
}

/// Weights: 32-bit numbers of one distribution.
inline std::vector<float> weights(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<float> numbers(count);
  for (float& each : numbers) {
    const auto steps = static_cast<int>(generator() % 4096) - 2048;
    each = static_cast<float>(steps) * 0x1p-14F + static_cast<float>(generator() % 512) * 0x1p-23F;
  }
  return numbers;
}

/// The weights some steps of a training run later.
inline std::vector<float> trained(std::vector<float> numbers, unsigned seed) {
  std::mt19937 generator(seed);
  for (float& each : numbers) {
    const auto step = static_cast<int>(generator() % 64) - 32;
    each += each * static_cast<float>(step) * 0x1p-16F;
  }
  return numbers;
}

inline bytes bytes_of(const std::vector<float>& numbers) {
  bytes result(4 * numbers.size());
  std::memcpy(result.data(), numbers.data(), result.size());
  return result;
}

struct named_tensor {
  std::string name;
  dtype type;
  std::string shape;  ///< such as "64,32"
  bytes content;
};

/// A safetensors file.
inline bytes checkpoint(const std::vector<named_tensor>& tensors) {
  std::string header = "{";
  bytes content;
  for (const named_tensor& t : tensors) {
    if (header.size() > 1) header += ',';
    header += '"' + t.name + R"(":{"dtype":")" + std::string(name_of(t.type)) + R"(","shape":[)" +
              t.shape + R"(],"data_offsets":[)" + std::to_string(content.size()) + ',' +
              std::to_string(content.size() + t.content.size()) + "]}";
    content.insert(content.end(), t.content.begin(), t.content.end());
  }
  header += '}';
  bytes file(8 + header.size());
  for (unsigned i = 0; i < 8; ++i) file[i] = static_cast<std::byte>(header.size() >> 8 * i & 255);
  std::memcpy(file.data() + 8, header.data(), header.size());
  file.insert(file.end(), content.begin(), content.end());
  return file;
}

/// A checkpoint of one matrix of 32-bit numbers called w.
inline bytes one_matrix(const std::vector<float>& numbers) {
  return checkpoint(
      {{"w", dtype::f32, std::to_string(numbers.size() / 64) + ",64", bytes_of(numbers)}});
}

inline bytes compress_against(const bytes& plain, const base_handle& base) {
  compress_options options;
  options.level = 1;
  options.base = base;
  return compress(plain, options);
}

inline bytes decompress_with(const bytes& archive, const base_handle& base) {
  decompress_options options;
  options.base = base;
  return decompress(archive, options);
}

}  // namespace lmzip::test
