#pragma once

#include "app/lmzip/messages.h"
#include "app/lmzip/settings.h"

namespace lmzip::app {

/// Fills in what the command line left open from LMZIP_LEVEL, LMZIP_THREADS, LMZIP_MEMLIMIT and
/// LMZIP_VERIFY, then from the defaults, and selects the instruction set that LMZIP_ISA names. A
/// value that makes no sense is reported and ignored; it changes no exit status.
void apply_environment(settings& run, messages& out);

}  // namespace lmzip::app
