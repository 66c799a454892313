#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codec/brevis/program.h"
#include "codec/codec.h"

namespace lmzip::codec::brevis {

/// How hard a search tries.
enum class search_effort : std::uint8_t { none, fast, full };

/// Numbers as a leaf codes them.
struct coded_numbers {
  leaf_coder coder = leaf_coder::raw;
  std::vector<std::byte> payload;
};

/// Codes the numbers of leaves and of shared streams. Safe to use from several threads.
class leaf_coding {
 public:
  explicit leaf_coding(search_effort effort);

  /// The shortest of the codings that are worth a trial. `columns`: of a row, or 0.
  coded_numbers code(dtype type, std::uint64_t columns, std::span<const std::byte> numbers) const;

  /// A zstd frame of the bytes of all numbers, those of each place together; and about how many
  /// bytes one would have.
  std::vector<std::byte> code_planes(std::span<const std::byte> planes) const;
  std::size_t estimate_planes(std::span<const std::byte> planes) const;

  /// Upper bound of the memory that coding takes besides numbers and payload.
  std::uint64_t memory(std::uint64_t plain_bytes) const;

 private:
  std::vector<std::byte> zstd(std::span<const std::byte> bytes) const;

  std::unique_ptr<encoder> probe_, quick_, strong_;
  std::uint64_t strong_limit_;  // bytes up to which the strong one is used
};

/// Bits (2^-16) of the numbers as a part of a shared stream, by a sample.
std::uint64_t estimate_rest(dtype type, std::span<const std::byte> numbers);

/// A sample of at most `most` bytes, in four pieces of whole numbers.
std::vector<std::byte> sample_numbers(dtype type, std::span<const std::byte> numbers,
                                      std::size_t most);

/// The bytes of each place of the elements together.
std::vector<std::byte> planes_of(std::span<const std::byte> numbers, std::size_t element_bytes);

}  // namespace lmzip::codec::brevis
