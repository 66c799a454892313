#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lmzip::app {

/// Whether `path` has the name of an archive: it ends in `suffix` or in .tlmz, with something in
/// front.
bool has_archive_suffix(std::string_view path, std::string_view suffix);

/// Name of the file that decompressing `path` makes: without `suffix`, .tlmz becomes .tar; nothing
/// if `path` has neither.
std::optional<std::string> decompressed_name(std::string_view path, std::string_view suffix);

}  // namespace lmzip::app
