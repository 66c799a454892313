#pragma once

#include <span>
#include <string>

namespace lmzip::io {

/// Runs a program of the same installation in place of this one, with the given arguments: from the
/// directory of this program, from that of `beside` (relative to it) or from PATH. Returns only if
/// there is no such program; throws file_error if it cannot be run.
void become_program(const std::string& name, const std::string& beside,
                    std::span<const std::string> arguments);

}  // namespace lmzip::io
