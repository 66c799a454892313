#pragma once

// What the files compiled for one instruction set share: everything here and below is compiled for
// the base instruction set.

#include <algorithm>
#include <cstring>

#include "codec/tokens/line_kernels_scalar.h"
#include "codec/tokens/token_coder.h"
#include "codec/tokens/token_match.h"
#include "core/io/zeroed_memory.h"
#include "entropy/rans.h"
#include "lmzip/error.h"
#include "model/candidate_set.h"
#include "model/hashing.h"
#include "model/kernels_scalar.h"
#include "model/row_kernels_scalar.h"

namespace lmzip::codec::tokens {

/// Tokens in a chunk of the code, see rans.h.
inline constexpr std::size_t chunk_tokens = std::size_t{1} << 16;

/// Symbols that a token is coded with at most: the run's flag, guesses and steps.
inline constexpr std::size_t max_token_symbols = 1 + max_guesses + model::step_tree::max_depth;

}  // namespace lmzip::codec::tokens
