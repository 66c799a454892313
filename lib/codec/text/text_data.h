#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/hash.h"
#include "model/alphabet.h"

namespace lmzip::codec::text {

/// The data that text blocks are decoded with: the alphabet of the shipped vocabulary and the
/// trained start parameters of the predictor in both modes. Immutable.
struct text_data {
  model::alphabet tokens;
  std::vector<std::byte> token_parameters;
  std::vector<std::byte> byte_parameters;
  hash256 id;  ///< SHA-256 over the vocabulary file and the parameter file
};

/// The shipped data, read at the first call. Safe to call from several threads.
const text_data& shipped_text_data();

/// First bytes of a parameter file, "LMZP" as a little-endian number.
inline constexpr std::uint32_t parameter_magic = 0x50'5a'4d'4c;

/// The parameter file (vocab/SPEC.md): quantised parameters of both modes, compressed.
struct parameter_values {
  std::vector<std::uint8_t> tokens;
  std::vector<std::uint8_t> bytes;
};

/// Throws error(damaged) unless the file holds exactly so many values of each mode.
parameter_values parse_parameters(std::span<const std::byte> file, std::size_t token_values,
                                  std::size_t byte_values);

/// The parameter file of the values. The encoder library has it.
std::vector<std::byte> pack_parameters(const parameter_values& values);

/// The tokens of the shipped vocabulary in the order of their leaves.
model::alphabet alphabet_of_shipped_vocabulary();

}  // namespace lmzip::codec::text
