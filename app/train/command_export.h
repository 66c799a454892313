#pragma once

#include <span>
#include <string>

namespace lmzip::train {

/// lmzip-train export CHECKPOINT -o MODEL: writes the integer model of a checkpoint. Throws error.
void run_export(std::span<const std::string> arguments);

}  // namespace lmzip::train
