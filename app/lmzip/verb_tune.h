#pragma once

#include <span>
#include <string>

namespace lmzip::app {

/// `lmzip tune FILE...`; `arguments` are what follows the word tune. Returns the exit status.
/// Throws error(usage) if the arguments make no sense; everything else is reported here.
int run_tune(std::span<const std::string> arguments);

}  // namespace lmzip::app
