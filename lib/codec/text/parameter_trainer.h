#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace lmzip::codec::text {

/// What the start parameters of the two modes are learned from.
struct training_data {
  std::span<const std::byte> text;   ///< for tokens
  std::span<const std::byte> bytes;  ///< for bytes: binaries and text
};

/// Codes the data in independent blocks, carrying the parameters over from block to block while
/// the hash tables start empty, and returns the parameter file (vocab/SPEC.md) of what was learned.
/// The result depends on the data and the shipped vocabulary only. `on_progress` is told the bytes
/// done so far; it may be empty.
std::vector<std::byte> train_parameters(const training_data& data,
                                        const std::function<void(std::size_t)>& on_progress);

}  // namespace lmzip::codec::text
