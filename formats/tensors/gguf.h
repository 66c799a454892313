#pragma once

#include "formats/tensors/probe.h"

/// GGUF, versions 2 and 3 (ggml, docs/gguf.md): key-value pairs, descriptions of the tensors, and
/// the tensors, each padded to the file's alignment. Checked as far as the layout goes, with the
/// limits of ggml's own reader. A type that is not known makes bytes up to the next tensor.
namespace lmzip::tensors {

bool looks_like_gguf(const beginning& from) noexcept;

/// Wants the header in steps of twice the size, up to `limits.header_bytes`. Where the size of the
/// input is not known, the layout ends with the last tensor whose size is known.
probe_result probe_gguf(const beginning& from, const read_limits& limits = {});

}  // namespace lmzip::tensors
