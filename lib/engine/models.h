#pragma once

#include "formats/container/reader.h"
#include "lmzip/model.h"

namespace lmzip::engine {

/// The model that the blocks of a member may need: of this build, or the one that the member brings
/// along, or what `finder` finds; nullptr
/// if the member names none or nobody has it. What the finder throws goes on to the caller.
model_handle find_model(const container::member_begin& member, const model_finder& finder);

/// Memory that a model takes while it is used, in bytes.
std::uint64_t memory_of(const model_handle& model);

}  // namespace lmzip::engine
