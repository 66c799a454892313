#pragma once

#include <string_view>

namespace lmzip::tree {

/// Whether one name (no slashes) matches a pattern: * is any bytes, ? any byte, [a-z] one of them,
/// [!a-z] none of them, and a backslash takes the next byte as it is. A bracket that is not closed
/// stands for itself. Compares bytes, whatever the locale; takes at most the product of both sizes.
bool matches_name(std::string_view name, std::string_view pattern) noexcept;

}  // namespace lmzip::tree
