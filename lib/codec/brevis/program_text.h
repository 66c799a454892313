#pragma once

#include <string>
#include <string_view>

#include "codec/brevis/program.h"

namespace lmzip::codec::brevis {

// The textual form of programs, one line each:
//   mask = band(bool,[352,352],-352,0,1,0)
//   w3 = ulp(cast(bf16,ref(2)),1234)
// Operators of which the type cannot be seen from their parts begin with it: the dtype in lower
// case, then the shape. Numbers are decimal where that gives their bits again, else their bits,
// as 0x7fc0. Coded bytes are told by how many they are.

/// The program of a tensor of that type (its shape is shown where the program's own tells less).
std::string to_text(const node& program, const tensor_type& tensor);

/// Reads the textual form of a program (without name and `=`). Payloads are taken from `payloads`,
/// one for each number of bytes in the text, which they must have, in order. The type rules are
/// checked. Throws error(usage), saying what is wrong and where.
node parse_program(std::string_view text, std::span<const tensor_type> earlier,
                   std::span<const std::vector<std::byte>> payloads);

/// A type as the textual form has it, such as "bf16,[5065,704]".
std::string to_text(const tensor_type& type);

}  // namespace lmzip::codec::brevis
