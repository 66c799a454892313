#pragma once

#include <span>
#include <string>

namespace lmzip::app {

/// lmzip model COMMAND...: lists, shows, checks and adds models. Returns the exit status.
/// Throws error(usage).
int run_model(std::span<const std::string> arguments);

}  // namespace lmzip::app
