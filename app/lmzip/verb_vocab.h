#pragma once

#include <span>
#include <string>

namespace lmzip::app {

/// `lmzip vocab COMMAND ...`; `arguments` are what follows the word vocab. Returns the exit status.
/// Throws error(usage) if the arguments make no sense; everything else is reported here.
int run_vocab(std::span<const std::string> arguments);

}  // namespace lmzip::app
