#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"

/// What the pickle in a PyTorch archive says of its storages. Nothing is unpickled: opcodes are
/// walked over once with a stack of marks, numbers and texts; a call is only looked at, and gives a
/// value that is known to be a tensor or else means nothing. Where an opcode is not known, or does
/// not fit, the walk ends and what was seen until then is kept.
namespace lmzip::tensors {

/// A storage: a flat array, the member data/KEY of the archive.
struct pickled_storage {
  std::string_view key;        ///< within the pickle
  std::optional<dtype> type;   ///< nothing for storages without a type
  std::uint64_t elements = 0;  ///< as the pickle says; bytes, where there is no type
  bool is_untyped = false;     ///< the type is that of a tensor: elements may be bytes
  /// Path of dictionary keys to the first tensor that covers all of the storage, joined by dots;
  /// "" if there is none.
  std::string name;
  /// Of that tensor, if it is contiguous.
  std::optional<std::vector<std::uint64_t>> shape;
};

/// Takes time and memory in proportion to the pickle. The result points into it.
std::vector<pickled_storage> scan_pickle(std::span<const std::byte> pickle);

}  // namespace lmzip::tensors
