#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vocab/vocabulary.h"

namespace lmzip::vocab {

/// The vocabulary file that is part of the library (RECIPE.md says how it was made).
std::span<const std::byte> shipped_vocabulary_bytes() noexcept;

/// The start parameters of the text codec, trained with that vocabulary (RECIPE.md).
std::span<const std::byte> shipped_parameter_bytes() noexcept;

/// The model files that are part of the library, the weaker first (TRAINING.md).
std::vector<std::span<const std::byte>> shipped_model_files();

/// The shipped vocabulary, read at the first call. Safe to call from several threads.
const vocabulary& shipped_vocabulary();

}  // namespace lmzip::vocab
