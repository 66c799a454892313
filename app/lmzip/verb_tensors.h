#pragma once

#include <span>
#include <string>

namespace lmzip::app {

// Commands that look into an archive of a checkpoint. `arguments` are what follows the command.
// They return the exit status, throw error(usage) if the arguments make no sense, and report
// everything else.

/// `lmzip list ARCHIVE [PATTERN...]`
int run_list(std::span<const std::string> arguments);

/// `lmzip extract ARCHIVE --tensor=NAME`
int run_extract(std::span<const std::string> arguments);

}  // namespace lmzip::app
