#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "codec/brevis/evaluator.h"

namespace lmzip::codec::brevis {

/// The bytes of a part: in memory of its own, or where they are already.
class operand {
 public:
  operand(const node& part, environment& known);

  const std::byte* data() const noexcept { return bytes_.data(); }
  std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::unique_ptr<std::byte[]> owned_;
  std::span<const std::byte> bytes_;
};

/// The bytes of the earlier tensor that a node refers to.
std::span<const std::byte> referred_bytes(const node& whole, const environment& known);

// The operators, by what they do; all are called by evaluate() only.

/// tile, broadcast, interleave, concat, transpose, reverse: where numbers stand.
void evaluate_places(const node& whole, environment& known, std::span<std::byte> out);

/// constant, band, rows, block, palette, sparse: numbers taken from elsewhere.
void evaluate_choices(const node& whole, environment& known, std::span<std::byte> out);

/// ramp, negate, scale2, cast, grid, add, formula: what is computed with numbers.
void evaluate_numbers(const node& whole, environment& known, std::span<std::byte> out);

/// leaf.
void decode_leaf(const node& whole, environment& known, std::span<std::byte> out);

/// The same for any numbers coded so, but not leaf_coder::rest.
void decode_numbers(leaf_coder coder, dtype type, std::span<const std::byte> coded,
                    std::span<std::byte> out);

}  // namespace lmzip::codec::brevis
