#pragma once

#include "engine/levels.h"
#include "lmzip/compress.h"
#include "lmzip/stream.h"

namespace lmzip::engine {

/// compress() with a plan of the caller's own: other encoders, other block size. `plan` stands for
/// options.level, block_bytes and verify.
totals compress(source& in, sink& out, const level_plan& plan, const compress_options& options);

}  // namespace lmzip::engine
