#pragma once

#include "formats/tensors/probe.h"

/// safetensors: eight bytes with the size N of the header, N bytes of JSON, then the tensors
/// without a gap between them. What is accepted follows the reference reader
/// (huggingface/safetensors 0.8) to the letter, but for two cases: a type that is not known is kept
/// as bytes, and tensors that are written as arrays, which the reference accepts by accident, make
/// plain bytes.
namespace lmzip::tensors {

/// True if the size and the first character fit; it decides which reader gives the reason.
bool looks_like_safetensors(const beginning& from) noexcept;

/// Wants 8 + N bytes, never more than `limits.header_bytes` + 8. Where the size of the input is
/// not known, the layout is as long as the header says; otherwise both must agree.
probe_result probe_safetensors(const beginning& from, const read_limits& limits = {});

}  // namespace lmzip::tensors
