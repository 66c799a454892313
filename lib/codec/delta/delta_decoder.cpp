#include <algorithm>
#include <memory>

#include "codec/delta/delta_codec.h"
#include "codec/delta/delta_payload.h"
#include "codec/delta/delta_source.h"
#include "codec/ratio/magnitude_decoder.h"
#include "codec/ratio/ratio_memory.h"
#include "core/cursor.h"
#include "lmzip/error.h"

namespace lmzip::codec::delta {
namespace {

template <class Word>
void decode_words(dtype type, const base_numbers& base, cursor& in, std::span<std::byte> plain) {
  using sink = delta_sink<Word>;
  const auto words = std::make_unique<sink>(type, base, plain.data());
  std::make_unique<ratio::magnitude_decoder<sink>>(*words)->decode(plain.size() / sizeof(Word), in);
}

void decode_payload(cursor& in, const base_numbers& base, std::span<std::byte> plain) {
  const unsigned form = in.u8();
  if (form == static_cast<unsigned>(payload_form::stored)) {
    const auto bytes = in.bytes(in.remaining());
    if (bytes.size() != plain.size())
      throw error(errc::damaged, "a stored tensor has a wrong size");
    std::copy(bytes.begin(), bytes.end(), plain.begin());
    return;
  }
  const unsigned type = in.u8(), base_type = in.u8();
  if (form != static_cast<unsigned>(payload_form::differences) || type >= dtype_count ||
      base_type != static_cast<unsigned>(base.type) ||
      !fits(static_cast<dtype>(type), base, plain.size()))
    throw error(errc::damaged, "differences do not fit their base");
  for_word_of(static_cast<dtype>(type),
              [&]<class Word>() { decode_words<Word>(static_cast<dtype>(type), base, in, plain); });
}

}  // namespace

element_form form_of(dtype type) noexcept {
  switch (type) {
    case dtype::bf16:
      return {2, true, {7, 255, 0}};
    case dtype::f16:
      return {2, true, {10, 31, 0}};
    case dtype::f32:
    case dtype::c64:
      return {4, true, {23, 255, 0}};
    // The exponents of numbers from 2^-192 to 2^63 have keys of their own.
    case dtype::f64:
    case dtype::c128:
      return {8, true, {52, 2047, 1023 - 192}};
    case dtype::f8_e5m2:
    case dtype::f8_e5m2fnuz:
      return {1, true, {2, 31, 0}};
    case dtype::f8_e4m3:
    case dtype::f8_e4m3fnuz:
      return {1, true, {3, 15, 0}};
    case dtype::u8:
    case dtype::i8:
      return {1, false, {3, 31, 0}};
    default:
      break;
  }
  const unsigned bits = bits_of(type);
  return {bits < 8 ? 1 : bits / 8, false, {0, 0, 0}};
}

bool can_be_base(dtype base, dtype type) noexcept { return can_cast(base, type); }

bool fits(dtype type, const base_numbers& base, std::size_t plain_bytes) noexcept {
  if (!can_cast(base.type, type)) return false;
  const std::size_t word = form_of(type).bytes, base_word = form_of(base.type).bytes;
  return plain_bytes % word == 0 && base.bytes.size() % base_word == 0 &&
         plain_bytes / word == base.bytes.size() / base_word;
}

void decode(std::span<const std::byte> coded, const base_numbers& base,
            std::span<std::byte> plain) {
  try {
    cursor in(coded);
    decode_payload(in, base, plain);
  } catch (const error& e) {
    if (e.code() != errc::truncated) throw;
    throw error(errc::damaged, "differences end too early");
  }
}

std::uint64_t decoding_memory() noexcept { return 2 * ratio::fixed_decoding_memory; }

}  // namespace lmzip::codec::delta
