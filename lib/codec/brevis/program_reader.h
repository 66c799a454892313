#pragma once

#include <span>

#include "codec/brevis/program.h"
#include "core/cursor.h"

namespace lmzip::codec::brevis {

/// Reads one program and checks it; its payloads point into what `in` reads. Throws error(damaged)
/// or error(truncated).
node read_program(cursor& in, const tensor_type& wanted, std::span<const tensor_type> earlier);

/// Reads the table of tensors. Throws as read_program().
std::vector<tensor_type> read_tensors(cursor& in);

/// Reads the shared streams, which end the payload. Throws as read_program().
std::vector<shared_stream> read_streams(cursor& in);

}  // namespace lmzip::codec::brevis
