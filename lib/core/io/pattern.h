#pragma once

#include <string>

namespace lmzip::io {

/// Whether a name matches a pattern of the shell, such as *.weight; a * matches slashes too.
bool matches_pattern(const std::string& name, const std::string& pattern);

}  // namespace lmzip::io
