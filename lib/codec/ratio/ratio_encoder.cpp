#include "codec/ratio/layout_encoders.h"
#include "codec/ratio/ratio_codec.h"
#include "codec/ratio/ratio_memory.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace ratio {
namespace {

std::optional<std::vector<std::byte>> encode_as_layout(const tensor_form& form,
                                                       std::span<const std::byte> plain) {
  const layout which = layout_of(form.type);
  const layout_facts facts = facts_of(which);
  if (plain.size() < facts.element_bytes) return std::nullopt;
  if (facts.rest_bits != 0) return encode_levels(which, form.columns, plain);
  if (which == layout::bytes || which == layout::halves) return encode_bytes(which, plain);
  return encode_integers(which, is_signed(form.type), plain);
}

class ratio_encoder final : public encoder {
 public:
  explicit ratio_encoder(const tensor_form& form) : form_(form) {}

  std::string_view name() const noexcept override { return "ratio"; }

  std::uint64_t memory(std::uint64_t plain_bytes) const override {
    return encoding_memory(plain_bytes);
  }
  std::uint64_t decoder_memory(std::uint64_t plain_bytes) const override {
    return decoding_memory(plain_bytes);
  }
  outlook estimate(std::span<const std::byte> sample) const override {
    return {ratio::estimate(form_.type, sample) / (std::uint64_t{8} << 16) + 1, undecided};
  }
  encoded encode_as(std::span<const std::byte> plain, std::uint32_t) const override {
    return {{codec_id::ratio, 0, static_cast<std::uint32_t>(form_.type)},
            ratio::encode(form_, plain)};
  }

 private:
  tensor_form form_;
};

}  // namespace

std::vector<std::byte> encode(const tensor_form& form, std::span<const std::byte> plain) {
  if (plain.size() > max_ratio_block_bytes)
    throw error(errc::internal, "a block is too large for the ratio coder");
  if (auto coded = encode_as_layout(form, plain)) return *std::move(coded);
  std::vector<std::byte> stored;
  stored.reserve(plain.size() + 1);
  stored.push_back(static_cast<std::byte>(layout::stored));
  stored.insert(stored.end(), plain.begin(), plain.end());
  return stored;
}

std::uint64_t encoding_memory(std::uint64_t plain_bytes) noexcept {
  // Words, lower bytes, escapes and the payload twice, each at most about as long as the plain
  // bytes; sums and parts of rows and columns.
  return fixed_encoding_memory + 6 * plain_bytes;
}

std::uint64_t estimate(dtype type, std::span<const std::byte> sample) {
  const layout which = layout_of(type);
  const layout_facts facts = facts_of(which);
  if (sample.size() < facts.element_bytes) return 0;
  if (facts.rest_bits != 0) return estimate_levels(which, sample);
  if (which == layout::bytes || which == layout::halves) return estimate_bytes(which, sample);
  return estimate_integers(which, is_signed(type), sample);
}

}  // namespace ratio

std::unique_ptr<encoder> make_ratio_encoder(dtype type, std::uint32_t columns) {
  return std::make_unique<ratio::ratio_encoder>(ratio::tensor_form{type, columns});
}

}  // namespace lmzip::codec
