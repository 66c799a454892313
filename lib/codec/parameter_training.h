#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lmzip::codec {

/// What the parameter file is learned from.
struct training_data {
  std::span<const std::byte> text;   ///< documents that end with zero bytes
  std::span<const std::byte> bytes;  ///< for records: binaries and text
};

/// The parameter file (vocab/SPEC.md) for the shipped vocabulary, with the sections of all codecs.
/// The result depends on the data and the vocabulary only. `on_progress` is told the name of each
/// section before it is made; it may be empty. Takes minutes, and 16 bytes of memory a token.
std::vector<std::byte> train_parameter_file(
    const training_data& data, const std::function<void(const std::string&)>& on_progress);

}  // namespace lmzip::codec
