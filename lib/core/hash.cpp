#include "core/hash.h"

// The direct functions: fetching SHA-256 through EVP starts up all of OpenSSL, which takes longer
// than compressing a small file.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <xxhash.h>

namespace lmzip {

std::uint64_t xxh3_64(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

struct sha256::state {
  SHA256_CTX context;
};

sha256::sha256() : state_(std::make_unique<state>()) { SHA256_Init(&state_->context); }
sha256::~sha256() = default;
sha256::sha256(sha256&&) noexcept = default;
sha256& sha256::operator=(sha256&&) noexcept = default;

void sha256::update(std::span<const std::byte> bytes) {
  SHA256_Update(&state_->context, bytes.data(), bytes.size());
}

hash256 sha256::finish() {
  hash256 hash;
  SHA256_Final(reinterpret_cast<unsigned char*>(hash.data()), &state_->context);
  SHA256_Init(&state_->context);
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
