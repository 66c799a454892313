#pragma once

#include "app/lmzip/settings.h"
#include "lmzip/base.h"

namespace lmzip::app {

/// The base that --base names; nullptr if it was not given. Errors name the file and the option.
base_handle open_bases(const coding_settings& coding, const model_handle& model);

}  // namespace lmzip::app
