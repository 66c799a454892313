#include "vocab/shipped.h"

#include <cstdint>

extern "C" {
extern const std::byte lmzip_vocabulary[];
extern const std::uint64_t lmzip_vocabulary_size;
extern const std::byte lmzip_parameters[];
extern const std::uint64_t lmzip_parameters_size;
extern const std::byte lmzip_small_model[];
extern const std::uint64_t lmzip_small_model_size;
}

namespace lmzip::vocab {

std::span<const std::byte> shipped_vocabulary_bytes() noexcept {
  return {lmzip_vocabulary, static_cast<std::size_t>(lmzip_vocabulary_size)};
}

std::span<const std::byte> shipped_parameter_bytes() noexcept {
  return {lmzip_parameters, static_cast<std::size_t>(lmzip_parameters_size)};
}

std::vector<std::span<const std::byte>> shipped_model_files() {
  return {{lmzip_small_model, static_cast<std::size_t>(lmzip_small_model_size)}};
}

const vocabulary& shipped_vocabulary() {
  // A test checks that it is sound.
  static const vocabulary shipped = vocabulary::parse_sound(shipped_vocabulary_bytes());
  return shipped;
}

}  // namespace lmzip::vocab
