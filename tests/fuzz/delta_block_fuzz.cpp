#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/delta/delta_block.h"
#include "core/endian.h"
#include "lmzip/error.h"

namespace {

/// A base that holds tensors of every hash, up to a size, whose bytes are made up from their places
/// (make_base_corpus.py does the same).
class made_up_tensors final : public lmzip::codec::base_tensors {
 public:
  void read(const lmzip::hash256&, std::uint64_t tensor_bytes, std::uint32_t, std::uint64_t offset,
            std::span<std::byte> out) override {
    if (offset > tensor_bytes || out.size() > tensor_bytes - offset) __builtin_trap();
    if (tensor_bytes > 1 << 16) throw lmzip::error(lmzip::errc::missing, "no such tensor");
    for (std::size_t k = 0; k < out.size(); ++k) {
      const std::uint64_t i = offset + k;
      out[k] = static_cast<std::byte>(i % 2 == 1 ? 0x3c + i / 64 % 4 : i * 37);
    }
  }
};

}  // namespace

// The first two bytes are the plain size, up to 2^15 - 1, the next two the parameters; the rest is
// coded.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const auto input = std::as_bytes(std::span(data, size));
  std::vector<std::byte> plain(lmzip::load_le<std::uint16_t>(data) & 0x7fff);
  const std::uint32_t parameters = lmzip::load_le<std::uint16_t>(data + 2);
  made_up_tensors base;
  try {
    const auto& how = lmzip::codec::delta_decoder_v0;
    if (how.memory(parameters, plain.size()) < plain.size()) __builtin_trap();
    how.decode(parameters, input.subspan(4), plain, {nullptr, &base});
  } catch (const lmzip::error& e) {
    if (e.code() != lmzip::errc::damaged && e.code() != lmzip::errc::missing) __builtin_trap();
  }
  return 0;
}
