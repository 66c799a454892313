#pragma once

#include <string>

namespace lmzip::app {

/// The text of --version: program and format version; with `verbose` also the identity of the
/// built-in codec data, which has to be loaded for that, and the instruction set in use.
std::string version_text(bool verbose);

}  // namespace lmzip::app
