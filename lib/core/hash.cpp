#include "core/hash.h"

#include <openssl/evp.h>

#include <xxhash.h>

#include "lmzip/error.h"

namespace lmzip {

std::uint64_t xxh3_64(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

struct sha256::state {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  state() = default;
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() { EVP_MD_CTX_free(context); }

  void start() {
    if (context == nullptr || EVP_DigestInit_ex(context, EVP_sha256(), nullptr) != 1)
      throw error(errc::internal, "SHA-256 is not available");
  }
};

sha256::sha256() : state_(std::make_unique<state>()) { state_->start(); }
sha256::~sha256() = default;
sha256::sha256(sha256&&) noexcept = default;
sha256& sha256::operator=(sha256&&) noexcept = default;

void sha256::update(std::span<const std::byte> bytes) {
  EVP_DigestUpdate(state_->context, bytes.data(), bytes.size());
}

hash256 sha256::finish() {
  hash256 hash;
  EVP_DigestFinal_ex(state_->context, reinterpret_cast<unsigned char*>(hash.data()), nullptr);
  state_->start();
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
