#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "codec/brevis/tensor_view.h"

namespace lmzip::codec::brevis {

/// How a tensor may follow from an earlier one: its numbers times 2^exponent, perhaps negated,
/// after a cast to `through` and then to the tensor's own type.
struct relation {
  std::size_t source = 0;  ///< number of the earlier tensor
  bool transposed = false;
  bool negated = false;
  int exponent = 0;
  dtype through = dtype::bytes;  ///< bytes: no cast but that to the tensor's own type
};

/// Earlier tensors by some of their elements, so that one look-up finds what a tensor may follow
/// from. Elements are compared by their values, without sign and power of two. Finds candidates:
/// that sampled elements agree, no more.
class relation_index {
 public:
  /// Notes tensor `number`, for tensors that follow.
  void add(std::size_t number, const tensor_view& x);

  /// Candidates, the likeliest first: at most `most`.
  std::vector<relation> find(const tensor_view& x, std::size_t most = 4) const;

 private:
  static constexpr std::size_t sampled = 16;
  using values = std::array<std::uint64_t, sampled>;

  struct entry {
    relation how;  // of what the entry's samples are, from the tensor
    bool negative;
    int exponent;
  };

  struct key {
    std::uint64_t hash;
    bool negative;  // of the first value that is not zero
    int exponent;
  };

  static std::optional<key> key_of(const tensor_view& x, values samples, bool transposed);
  void insert(std::size_t number, const tensor_view& x, const values& samples, bool transposed,
              dtype through);
  void look_up(const key& wanted, std::size_t most, std::vector<relation>& found) const;

  std::unordered_multimap<std::uint64_t, entry> entries_;
};

}  // namespace lmzip::codec::brevis
