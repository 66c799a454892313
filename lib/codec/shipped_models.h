#pragma once

#include <memory>
#include <span>
#include <vector>

#include "codec/model_file.h"

namespace lmzip::codec {

// The models that are part of the library (vocab/TRAINING.md says how they were made), each read at
// its first use. All functions are safe to call from several threads.

/// Of an id, or nullptr.
std::shared_ptr<const shared_model> shipped_model(const hash256& id);

/// The file of that model; empty if there is none.
std::span<const std::byte> shipped_model_file(const hash256& id);

/// Of an id that begins with mark_of(), or nullptr: for blocks of which no more is known.
std::shared_ptr<const shared_model> shipped_model_with_mark(std::uint32_t mark);

/// That level 8 or 9 uses.
std::shared_ptr<const shared_model> shipped_model_of_level(int level);

std::vector<std::shared_ptr<const shared_model>> all_shipped_models();

}  // namespace lmzip::codec
