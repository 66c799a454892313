#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "codec/text/symbol_coder.h"
#include "model/alphabet.h"
#include "model/ngram_table.h"

namespace lmzip::codec::text {

// What text blocks are coded with, from the shipped vocabulary and parameter file; each part is
// read at its first use. All functions are safe to call from several threads, and what they return
// lives as long as the program.

/// The tokens of the vocabulary in the order of their leaves.
const model::alphabet& token_alphabet();

/// The symbols of a kind.
const model::alphabet& alphabet_of(symbol_kind kind);

/// The image that the predictor of a strength and kind starts from; with a network, that of the
/// predictor without one, in which the network gets a part of the weight.
std::span<const std::byte> start_parameters(int strength, symbol_kind kind, bool network = false);

/// What usually follows the last tokens.
const model::ngram_table& token_ngrams();

/// Names of sections in the parameter file.
std::string section_name(int strength, symbol_kind kind);
inline constexpr const char* ngram_section = "ngrams";

}  // namespace lmzip::codec::text
