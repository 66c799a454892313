#pragma once

#include "core/io/file.h"

namespace lmzip::io {

/// The time that the kernel would write into a file changed now. It moves in ticks of some
/// milliseconds, so that a time taken from a finer clock can be later than that of a file changed
/// afterwards.
file_time file_clock();

}  // namespace lmzip::io
