#pragma once

#include <span>
#include <string>

#include "app/lmzip/messages.h"

namespace lmzip::train {

/// `lmzip-train eval`: measures models and archives on texts. Takes what follows the command.
/// Throws error(usage), error(missing) for a model that is not there, and what reading files
/// throws.
void run_eval(std::span<const std::string> arguments, app::messages& out);

}  // namespace lmzip::train
