#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lmzip/settings.h"
#include "core/io/file.h"
#include "lmzip/base.h"

namespace lmzip::app {

/// The base of coding.bases; nullptr if there are none. Errors name the file and the option.
base_handle open_bases(const coding_settings& coding, const model_handle& model,
                       std::string_view option = "--base");

/// Whether one of the base's files is that one.
bool has_file(const base_handle& base, const io::file_status& file);

/// Adds files that are separated by commas; a comma in a name is written as two. False if one is
/// empty.
bool add_bases(std::string_view value, std::vector<std::string>& bases);

}  // namespace lmzip::app
