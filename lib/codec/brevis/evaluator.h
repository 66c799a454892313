#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/brevis/program.h"

namespace lmzip::codec::brevis {

/// An earlier tensor: what reference, rows, block and delta see.
struct known_tensor {
  tensor_type type;
  std::span<const std::byte> bytes;
};

/// Decoded shared streams, of which leaves take their numbers.
class rest_source {
 public:
  virtual ~rest_source() = default;

  /// Fills `to` with the next numbers of that type. Throws error(damaged) if there are too few.
  virtual void take(dtype type, std::span<std::byte> to) = 0;
};

struct environment {
  std::span<const known_tensor> earlier;
  rest_source* rest = nullptr;  ///< nullptr: programs with leaf_coder::rest throw error(damaged)
};

/// Evaluates a program that keeps to the type rules (type_rules.h) into its result's bytes.
/// Throws error(damaged) if a payload does not decode, an index is out of range, or a bitmap has
/// another count of bits than there are values; `out` is then of no use.
void evaluate(const node& program, environment& known, std::span<std::byte> out);

/// Peak of the memory that evaluate() takes besides its result, without what the coders of leaves
/// take for themselves, which is at most as much as the largest leaf and 1 MiB.
std::uint64_t evaluation_memory(const node& program) noexcept;

/// Bytes that evaluate() writes, all nodes together: a measure of its time.
std::uint64_t evaluation_work(const node& program) noexcept;

}  // namespace lmzip::codec::brevis
