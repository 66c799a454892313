#pragma once

#include <optional>
#include <string>

#include "formats/tensors/input.h"
#include "formats/tensors/probe.h"

/// npy, versions 1 to 3 (numpy, NEP 1): a magic, a Python literal that describes one array, and its
/// elements. A file may hold several, one after another. Objects (pickles) are plain bytes.
namespace lmzip::tensors {

/// Larger headers are not read.
inline constexpr std::uint64_t longest_npy_header = std::uint64_t{1} << 20;

bool looks_like_npy(std::span<const std::byte> bytes) noexcept;

/// What the header of one array says.
struct npy_header {
  std::uint64_t bytes = 0;  ///< of the header: the elements follow
  tensor array;             ///< without name and offset
};

/// Reads the header at the front of `bytes`. Throws error: damaged (no such header, or an array of
/// objects), truncated (it is longer than `bytes`).
npy_header read_npy_header(std::span<const std::byte> bytes);

/// The layout of the first array. It ends with the array even where the size of the input is known
/// and more bytes follow: those are to be looked at anew.
probe_result probe_npy(const beginning& from, const read_limits& limits = {});

/// Reads the header at `offset` and places its array behind it. Nothing if there is no header, or
/// if both together take more than `room` bytes.
std::optional<npy_header> read_npy_header_at(const random_input& in, std::uint64_t offset,
                                             std::uint64_t room);

/// The layout of an input that begins with an array, of which probe_npy() made one: all the arrays
/// that follow each other from its beginning on.
tensor_layout read_npy_arrays(const random_input& in, const read_limits& limits = {});

}  // namespace lmzip::tensors
