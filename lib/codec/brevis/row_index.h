#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "codec/brevis/tensor_view.h"

namespace lmzip::codec::brevis {

/// Rows of a matrix that stand in earlier ones, one after the other.
struct row_match {
  struct place {
    std::size_t source;  ///< number of the tensor
    std::size_t row;
  };
  std::vector<place> places;  ///< of each row
};

/// Rows of earlier matrices by how they begin.
class row_index {
 public:
  void add(std::size_t number, const tensor_view& x);

  /// Where all rows of `x` stand, as the first elements of rows of tensors of its type; `tensors`
  /// gives the tensors that were added.
  std::optional<row_match> find(const tensor_view& x, std::span<const tensor_view> tensors) const;

 private:
  static constexpr std::size_t prefix_bytes = 16;
  static constexpr std::size_t most_rows = std::size_t{1} << 17;

  static bool is_usable(const tensor_view& x) noexcept;
  static std::optional<std::uint64_t> key_of(const tensor_view& x, std::size_t row) noexcept;

  std::optional<row_match::place> look_up(const tensor_view& x, std::size_t row,
                                          const row_match::place* before,
                                          std::span<const tensor_view> tensors) const;

  std::unordered_multimap<std::uint64_t, row_match::place> rows_;
};

}  // namespace lmzip::codec::brevis
