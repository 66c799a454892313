#pragma once

// Tensors for tests of the search for programs.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "codec/brevis/tensor_part.h"
#include "codec/brevis/tensor_view.h"
#include "core/endian.h"

namespace lmzip::test {

struct test_tensor {
  codec::brevis::tensor_type type;
  std::vector<std::byte> bytes;

  codec::brevis::tensor_view view() const { return {type.type, type.shape, bytes}; }
  codec::brevis::tensor_part part() const { return {type, {}, 0}; }
};

inline test_tensor tensor_of(dtype type, std::vector<std::uint64_t> shape,
                             const std::vector<std::uint64_t>& bits) {
  test_tensor t{{type, std::move(shape)}, {}};
  const std::size_t width = bits_of(type) / 8;
  t.bytes.resize(bits.size() * width);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    std::byte all[8];
    store_le(all, bits[i]);
    std::copy_n(all, width, &t.bytes[i * width]);
  }
  return t;
}

inline std::vector<std::uint64_t> bits_of_floats(const std::vector<float>& numbers) {
  std::vector<std::uint64_t> bits;
  for (const float x : numbers) bits.push_back(std::bit_cast<std::uint32_t>(x));
  return bits;
}

inline test_tensor tensor_of_floats(std::vector<std::uint64_t> shape,
                                    const std::vector<float>& numbers) {
  return tensor_of(dtype::f32, std::move(shape), bits_of_floats(numbers));
}

/// Numbers like trained weights, without structure.
inline std::vector<float> layer_weights(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> numbers(count);
  for (float& x : numbers) {
    // A sum of four uniform numbers, which is the same with every standard library.
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += static_cast<double>(random() >> 8) / (1 << 24) - 0.5;
    x = static_cast<float>(0.03 * sum);
  }
  return numbers;
}

inline test_tensor weight_tensor(std::uint64_t rows, std::uint64_t columns, unsigned seed) {
  return tensor_of_floats({rows, columns}, layer_weights(rows * columns, seed));
}

}  // namespace lmzip::test
