#include "codec/brevis/tensor_type.h"

namespace lmzip::codec::brevis {

std::uint64_t tensor_type::elements() const noexcept {
  std::uint64_t product = 1;
  for (const std::uint64_t size : shape) product *= size;
  return product;
}

std::uint64_t tensor_type::bytes() const noexcept { return elements() * bits_of(type) / 8; }

bool valid(const tensor_type& type) noexcept {
  if (type.shape.size() > max_rank) return false;
  // Dimensions of 0 must not hide others that are too large for a product.
  constexpr std::uint64_t most = 8 * max_tensor_bytes;
  std::uint64_t bits = bits_of(type.type);
  bool empty = false;
  for (const std::uint64_t size : type.shape) {
    if (size == 0) {
      empty = true;
    } else {
      if (size > most / bits) return false;
      bits *= size;
    }
  }
  return empty || bits % 8 == 0;
}

}  // namespace lmzip::codec::brevis
