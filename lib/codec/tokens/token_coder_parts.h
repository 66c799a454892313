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

/// Symbols that so many tokens of a chunk are coded with at most: each has the run's flag, guesses
/// and steps.
inline std::uint64_t max_symbols(const tokens_data& data, std::uint64_t tokens) noexcept {
  return (1 + max_guesses + data.tree().depth()) * std::min<std::uint64_t>(chunk_tokens, tokens);
}

}  // namespace lmzip::codec::tokens
