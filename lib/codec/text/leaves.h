#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lmzip::codec::text {

/// The leaves of the tokens of `plain`, in the shipped vocabulary.
std::vector<std::uint16_t> leaves_of_tokens(std::span<const std::byte> plain);

/// The leaves of the bytes of `plain`: their values.
std::vector<std::uint16_t> leaves_of_bytes(std::span<const std::byte> plain);

}  // namespace lmzip::codec::text
