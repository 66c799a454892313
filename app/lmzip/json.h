#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace lmzip::app {

/// Keeps the keys in the order in which they were added.
using json = nlohmann::ordered_json;

/// Adds a name that may be any byte string: `key` holds it as text; if it is not valid UTF-8,
/// invalid bytes are U+FFFD there and `key`_hex holds all its bytes in hexadecimal.
void add_name(json& object, const std::string& key, std::string_view name);

/// The object on one line of ASCII, with a line feed.
std::string to_line(const json& object);

}  // namespace lmzip::app
