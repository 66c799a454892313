#include <memory>
#include <optional>

#include "codec/delta/delta_codec.h"
#include "codec/delta/delta_payload.h"
#include "codec/delta/delta_source.h"
#include "codec/ratio/magnitude_stream.h"
#include "codec/ratio/ratio_memory.h"
#include "lmzip/error.h"

namespace lmzip::codec::delta {
namespace {

template <class Word>
struct word_coder {
  using source = delta_source<Word>;

  static std::optional<std::vector<std::byte>> encode(dtype type, const base_numbers& base,
                                                      std::span<const std::byte> plain) {
    const auto numbers = std::make_unique<source>(type, base, plain.data());
    const auto coder =
        std::make_unique<ratio::magnitude_encoder<source>>(*numbers, plain.size() / sizeof(Word));
    std::vector<std::byte> payload{static_cast<std::byte>(payload_form::differences),
                                   static_cast<std::byte>(type), static_cast<std::byte>(base.type)};
    if (!coder->append_to(payload, plain.size()) || payload.size() > plain.size())
      return std::nullopt;
    return payload;
  }

  static std::uint64_t estimate(dtype type, const base_numbers& base,
                                std::span<const std::byte> sample) {
    source numbers(type, base, sample.data());
    return ratio::estimate_magnitudes(numbers, sample.size() / sizeof(Word));
  }
};

void check(dtype type, const base_numbers& base, std::span<const std::byte> plain) {
  if (!fits(type, base, plain.size()))
    throw error(errc::internal, "a tensor cannot be coded against that base");
}

}  // namespace

std::vector<std::byte> encode(dtype type, const base_numbers& base,
                              std::span<const std::byte> plain) {
  check(type, base, plain);
  std::optional<std::vector<std::byte>> coded;
  if (!plain.empty())
    coded = for_word_of(type,
                        [&]<class Word>() { return word_coder<Word>::encode(type, base, plain); });
  if (coded) return *std::move(coded);
  std::vector<std::byte> stored;
  stored.reserve(plain.size() + 1);
  stored.push_back(static_cast<std::byte>(payload_form::stored));
  stored.insert(stored.end(), plain.begin(), plain.end());
  return stored;
}

std::uint64_t encoding_memory(std::uint64_t plain_bytes) noexcept {
  // Words, lower bytes, escapes and the payload twice, each at most about as long as the plain
  // bytes.
  return ratio::fixed_encoding_memory + 6 * plain_bytes;
}

std::uint64_t estimate(dtype type, const base_numbers& base, std::span<const std::byte> sample) {
  check(type, base, sample);
  if (sample.empty()) return 0;
  return for_word_of(type,
                     [&]<class Word>() { return word_coder<Word>::estimate(type, base, sample); });
}

}  // namespace lmzip::codec::delta
