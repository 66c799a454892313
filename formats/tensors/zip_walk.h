#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/tensors/detect.h"
#include "formats/tensors/storage_table.h"

namespace lmzip::tensors {

/// A zip archive of tensors (see zip_tensors.h) from its front, as it comes through a pipe: members
/// one after the other, without the directory at the end. Of members whose size stands behind them
/// the pickle tells it, or it is looked for. What it finds only says how the bytes may best be
/// coded; a directory that says otherwise is not seen.
class zip_walk {
 public:
  /// `limits.header_bytes` bounds how far the end of a member is looked for.
  explicit zip_walk(const read_limits& limits = {}) : limits_(limits) {}

  /// The layout of the members that come next, at least `window` bytes of them if so many follow.
  /// Nothing if `peek` shows no member whose size can be told: what is left is plain bytes.
  std::optional<tensor_layout> next(const peek_function& peek);

  /// Bytes of members that are looked at together; a larger one ends them.
  static constexpr std::uint64_t window = std::uint64_t{1} << 20;

  /// Upper bound of the memory that this, its layouts and what it peeks at take, once next() was
  /// called.
  std::uint64_t memory() const noexcept;

 private:
  struct member {
    std::string name;
    std::uint64_t data = 0;   ///< from the front of what is peeked at
    std::uint64_t bytes = 0;  ///< of data
    bool is_stored = false;
  };

  std::optional<member> member_at(const peek_function& peek, std::uint64_t at) const;
  std::optional<std::uint64_t> bytes_by_name(const member& m) const;
  std::optional<std::uint64_t> bytes_by_descriptor(const peek_function& peek,
                                                   std::uint64_t data) const;
  void add(const peek_function& peek, const member& m, tensor_layout& layout);
  void add_array(const peek_function& peek, const member& m, tensor_layout& layout) const;
  std::optional<std::string_view> storage_key(const member& m) const;

  read_limits limits_;
  bool is_first_ = true;
  std::string root_;  // of an archive of PyTorch; "" until its pickle was seen
  bool is_big_endian_ = false;
  storage_table storages_;
  std::uint64_t pickle_bytes_ = 0;
};

}  // namespace lmzip::tensors
