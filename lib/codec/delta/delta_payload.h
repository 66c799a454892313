#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/delta/delta_codec.h"
#include "codec/delta/delta_source.h"

namespace lmzip::codec::delta {

/// The first byte of a payload.
enum class payload_form : std::uint8_t {
  stored = 0,       ///< the plain bytes follow
  differences = 1,  ///< type, type of the base, magnitude stream
};

/// Whether `plain_bytes` of a tensor can be coded against that base.
bool fits(dtype type, const base_numbers& base, std::size_t plain_bytes) noexcept;

/// Calls `visit` with the unsigned type of the words of `type`, and returns what it does.
template <class Visit>
auto for_word_of(dtype type, Visit visit) {
  switch (form_of(type).bytes) {
    case 8:
      return visit.template operator()<std::uint64_t>();
    case 4:
      return visit.template operator()<std::uint32_t>();
    case 2:
      return visit.template operator()<std::uint16_t>();
    default:
      return visit.template operator()<std::uint8_t>();
  }
}

}  // namespace lmzip::codec::delta
