#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lmzip/settings.h"

namespace lmzip::app {

/// Settings that come with the name the program was called by: unlmzip is -d, lmzcat is -dcf.
settings settings_for_program_name(std::string_view base_name);

/// Parses options and file names into `start`. Options may stand anywhere before "--", and their
/// order does not matter, but that the last of several values counts. Throws error(usage).
settings parse_arguments(const std::vector<std::string>& arguments, settings start);

/// Throws error(usage) if settings contradict each other.
void check_settings(const settings& run);

/// The text of --help.
std::string help_text();

}  // namespace lmzip::app
