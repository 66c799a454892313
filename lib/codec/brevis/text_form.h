#pragma once

#include "codec/brevis/program.h"

namespace lmzip::codec::brevis {

// What writer and parser of the textual form have to agree on.

/// Whether type and shape of the result stand first: where no part tells them.
constexpr bool shows_shape(op what) noexcept {
  switch (what) {
    case op::leaf:
    case op::constant:
    case op::ramp:
    case op::band:
    case op::block:
    case op::sparse:
    case op::formula:
    case op::delta:
      return true;
    default:
      return false;
  }
}

inline bool takes_payload(const node& n) noexcept {
  if (n.what == op::leaf) return n.literals[0] != static_cast<std::uint64_t>(leaf_coder::rest);
  return n.what == op::ulp || n.what == op::delta;
}

}  // namespace lmzip::codec::brevis
