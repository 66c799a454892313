#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/tensors/layout.h"

namespace lmzip::tensors {

/// Reads the literal in the header of an npy file, a dictionary with exactly the keys "descr",
/// "fortran_order" and "shape", and gives type, shape, record size and bytes of the array. It is a
/// part of the Python language: single-line strings without escapes, integers, True, False, tuples
/// and lists. Anything else throws error(damaged), and so do arrays of objects and sizes past 2^64.
tensor read_npy_literal(std::string_view text);

}  // namespace lmzip::tensors
