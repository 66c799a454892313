#include "codec/text/x86_filter.h"

#include <cstdint>

namespace lmzip::codec::text {
namespace {

constexpr std::size_t call_bytes = 5;

bool is_call(const std::byte* at) {
  const auto opcode = std::to_integer<unsigned>(at[0]);
  const auto top = std::to_integer<unsigned>(at[4]);
  return (opcode & 0xfe) == 0xe8 && ((top + 1) & 0xfe) == 0;
}

void add_to_target(std::byte* at, std::uint32_t amount) {
  std::uint32_t target = std::to_integer<std::uint32_t>(at[1]) |
                         std::to_integer<std::uint32_t>(at[2]) << 8 |
                         std::to_integer<std::uint32_t>(at[3]) << 16;
  target += amount;
  for (int i = 0; i < 3; ++i) at[1 + i] = static_cast<std::byte>(target >> (8 * i) & 255);
}

}  // namespace

// A changed target may look like a call that begins inside it. Going backwards, such a call has
// been turned already; the inverse goes forwards and so undoes the steps in opposite order.
void x86_forward(std::span<std::byte> code) {
  if (code.size() < call_bytes) return;
  for (std::size_t i = code.size() - call_bytes + 1; i-- > 0;)
    if (is_call(&code[i])) add_to_target(&code[i], static_cast<std::uint32_t>(i));
}

void x86_inverse(std::span<std::byte> code) {
  for (std::size_t i = 0; i + call_bytes <= code.size(); ++i)
    if (is_call(&code[i])) add_to_target(&code[i], -static_cast<std::uint32_t>(i));
}

bool looks_like_x86(std::span<const std::byte> bytes) {
  // Code has a call every 30 to 100 bytes; random bytes have such a position in 16384.
  constexpr std::size_t positions_a_call = 400;
  constexpr std::size_t smallest = 4096;
  if (bytes.size() < smallest) return false;
  std::size_t calls = 0;
  for (std::size_t i = 0; i + call_bytes <= bytes.size(); ++i) calls += is_call(&bytes[i]);
  return calls > bytes.size() / positions_a_call;
}

}  // namespace lmzip::codec::text
