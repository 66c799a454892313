#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace lmzip::codec::tokens {

/// Codes the text in independent blocks, carrying the learned values over from block to block while
/// the hash tables start empty, and returns the mean of what was learned over the later blocks, one
/// byte a value (value_layout). The result depends on the text and the shipped vocabulary only.
/// Zeros between documents are left out. `on_progress` is told the bytes done so far; it may be
/// empty.
std::vector<std::uint8_t> train_values(std::span<const std::byte> text,
                                       const std::function<void(std::size_t)>& on_progress);

}  // namespace lmzip::codec::tokens
