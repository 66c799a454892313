#include "codec/delta/delta_block.h"
#include "codec/delta/delta_codec.h"
#include "codec/delta/segment_list.h"
#include "core/endian.h"
#include "lmzip/error.h"

namespace lmzip::codec::delta {
namespace {

template <std::unsigned_integral T>
void append_le(std::vector<std::byte>& out, T value) {
  out.resize(out.size() + sizeof value);
  store_le(out.data() + out.size() - sizeof value, value);
}

void append_bytes(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

void append_segment(std::vector<std::byte>& out, const segment& s, dtype type) {
  const bool whole = s.base && s.base->offset == 0 &&
                     s.base->tensor_bytes == base_bytes(s.base->type, type, s.plain_bytes);
  const unsigned flags =
      s.base ? static_cast<unsigned>(s.base->type) | (whole ? whole_bit : 0) : zeros_bit;
  append_le(out, static_cast<std::uint8_t>(flags));
  append_le(out, s.plain_bytes);
  if (!s.base) return;
  append_bytes(out, s.base->tensor);
  append_le(out, s.base->hint);
  if (whole) return;
  append_le(out, s.base->tensor_bytes);
  append_le(out, s.base->offset);
}

}  // namespace

encoded encode_block(dtype type, std::span<const segment> segments, relation how,
                     std::span<const std::byte> base, std::span<const std::byte> plain) {
  if (segments.size() > most_segments || base.size() != plain.size())
    throw error(errc::internal, "a block cannot be coded against that base");
  encoded result{{codec_id::delta, 0,
                  static_cast<std::uint32_t>(type) | static_cast<std::uint32_t>(how) << 8},
                 {}};
  append_le(result.coded, static_cast<std::uint16_t>(segments.size()));
  for (const segment& s : segments) append_segment(result.coded, s, type);
  if (how == relation::difference) append_bytes(result.coded, encode(type, {type, base}, plain));
  return result;
}

}  // namespace lmzip::codec::delta
