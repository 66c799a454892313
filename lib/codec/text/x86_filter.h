#pragma once

#include <cstddef>
#include <span>

namespace lmzip::codec::text {

/// Turns the targets of x86 calls and jumps (opcodes E8 and E9 with a 32-bit distance whose upper
/// byte is 0 or 255) from distances into positions, 24 bits of them, so that calls of one function
/// look alike. In place; every byte string can be turned and turned back.
void x86_forward(std::span<std::byte> code);
void x86_inverse(std::span<std::byte> code);

/// Whether so many positions look like calls that the bytes are mostly x86 code.
bool looks_like_x86(std::span<const std::byte> bytes);

}  // namespace lmzip::codec::text
