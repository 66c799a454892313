#pragma once

#include <cstddef>
#include <span>

#include "vocab/vocabulary.h"

namespace lmzip::vocab {

/// The vocabulary file that is part of the library (RECIPE.md says how it was made).
std::span<const std::byte> shipped_vocabulary_bytes() noexcept;

/// The shipped vocabulary, read at the first call. Safe to call from several threads.
const vocabulary& shipped_vocabulary();

}  // namespace lmzip::vocab
