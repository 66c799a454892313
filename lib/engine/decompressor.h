#pragma once

#include "engine/ordered_work.h"
#include "lmzip/decompress.h"
#include "lmzip/stream.h"

namespace lmzip::engine {

/// The two decompress() on threads of `run`. The decoder-only library passes run_sequential, so
/// that it needs no oneTBB.
totals decompress(source& in, sink& out, const decompress_options& options, runner run);
std::vector<std::byte> decompress(std::span<const std::byte> archive,
                                  const decompress_options& options, runner run);

}  // namespace lmzip::engine
