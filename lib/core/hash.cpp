#include "core/hash.h"

// Loading OpenSSL's libcrypto takes 2.4 ms, longer than compressing a small file.
#include <nettle/sha2.h>
#include <nettle/version.h>
#include <xxhash.h>

namespace lmzip {

std::uint64_t xxh3_64(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

struct sha256::state {
  sha256_ctx context;
};

sha256::sha256() : state_(std::make_unique<state>()) { sha256_init(&state_->context); }
sha256::~sha256() = default;
sha256::sha256(sha256&&) noexcept = default;
sha256& sha256::operator=(sha256&&) noexcept = default;

void sha256::update(std::span<const std::byte> bytes) {
  sha256_update(&state_->context, bytes.size(),
                reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

hash256 sha256::finish() {
  hash256 hash;
  // Sets the context up for the next string too.
  auto* const digest = reinterpret_cast<std::uint8_t*>(hash.data());
#if NETTLE_VERSION_MAJOR >= 4
  sha256_digest(&state_->context, digest);
#else
  sha256_digest(&state_->context, hash.size(), digest);
#endif
  return hash;
}

hash256 sha256_of(std::span<const std::byte> bytes) {
  sha256 hasher;
  hasher.update(bytes);
  return hasher.finish();
}

std::string to_hex(std::span<const std::byte> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::byte b : bytes) {
    text += digits[std::to_integer<unsigned>(b) >> 4];
    text += digits[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

}  // namespace lmzip
