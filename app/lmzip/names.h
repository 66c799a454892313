#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lmzip::app {

/// `name` for people, on one line: bytes that are no printable UTF-8 text (control characters,
/// line and paragraph separators, direction marks, invalid sequences) as \xNN, a backslash as \\.
/// The original can be had back.
std::string printable(std::string_view name);

/// Code points of a text; a byte that is part of no valid UTF-8 sequence counts as one.
std::size_t count_characters(std::string_view text) noexcept;

bool is_valid_utf8(std::string_view text) noexcept;

/// `name` with each invalid byte replaced by U+FFFD, for JSON.
std::string replace_invalid_utf8(std::string_view name);

/// Last component of a path; the whole if there is no slash.
std::string base_name(std::string_view path);

}  // namespace lmzip::app
