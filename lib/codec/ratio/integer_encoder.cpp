#include "codec/ratio/integer_source.h"
#include "codec/ratio/layout_encoders.h"
#include "codec/ratio/magnitude_stream.h"

namespace lmzip::codec::ratio {
namespace {

bool any_negative(std::span<const std::byte> plain, std::size_t element) noexcept {
  for (std::size_t at = element - 1; at < plain.size(); at += element)
    if ((plain[at] & std::byte{0x80}) != std::byte{}) return true;
  return false;
}

template <class Word>
std::optional<std::vector<std::byte>> encode_words(layout which, bool with_sign,
                                                   std::span<const std::byte> plain) {
  const std::size_t elements = plain.size() / sizeof(Word);
  const auto tail = plain.subspan(elements * sizeof(Word));
  const bool folded = with_sign && any_negative(plain.first(elements * sizeof(Word)), sizeof(Word));
  integer_source<Word> source(plain.data(), folded);
  const auto coder = std::make_unique<magnitude_encoder<integer_source<Word>>>(source, elements);
  std::vector<std::byte> payload{static_cast<std::byte>(which),
                                 static_cast<std::byte>(folded ? flag_signed : 0)};
  for (const std::byte b : tail) payload.push_back(b);
  if (!coder->append_to(payload, plain.size()) || payload.size() >= plain.size())
    return std::nullopt;
  return payload;
}

template <class Word>
std::uint64_t estimate_words(bool with_sign, std::span<const std::byte> sample) {
  const std::size_t elements = sample.size() / sizeof(Word);
  const bool folded =
      with_sign && any_negative(sample.first(elements * sizeof(Word)), sizeof(Word));
  integer_source<Word> source(sample.data(), folded);
  return estimate_magnitudes(source, elements);
}

}  // namespace

std::optional<std::vector<std::byte>> encode_integers(layout which, bool with_sign,
                                                      std::span<const std::byte> plain) {
  if (which == layout::integers16) return encode_words<std::uint16_t>(which, with_sign, plain);
  if (which == layout::integers32) return encode_words<std::uint32_t>(which, with_sign, plain);
  return encode_words<std::uint64_t>(which, with_sign, plain);
}

std::uint64_t estimate_integers(layout which, bool with_sign, std::span<const std::byte> sample) {
  if (which == layout::integers16) return estimate_words<std::uint16_t>(with_sign, sample);
  if (which == layout::integers32) return estimate_words<std::uint32_t>(with_sign, sample);
  return estimate_words<std::uint64_t>(with_sign, sample);
}

}  // namespace lmzip::codec::ratio
