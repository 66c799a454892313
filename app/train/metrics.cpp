#include "app/train/metrics.h"

#include <cmath>

namespace lmzip::train {
namespace {

double quotient(double a, double b) noexcept { return b > 0 ? a / b : 0; }

double number(std::uint64_t value) noexcept { return static_cast<double>(value); }

}  // namespace

text_size& text_size::operator+=(const text_size& other) noexcept {
  bytes += other.bytes;
  characters += other.characters;
  tokens += other.tokens;
  return *this;
}

coding_result& coding_result::operator+=(const coding_result& other) noexcept {
  coded_bytes += other.coded_bytes;
  coded_tokens += other.coded_tokens;
  equal_bytes += other.equal_bytes;
  encode_seconds += other.encode_seconds;
  decode_seconds += other.decode_seconds;
  encode_network_seconds += other.encode_network_seconds;
  decode_network_seconds += other.decode_network_seconds;
  return *this;
}

chance_sums& chance_sums::operator+=(const chance_sums& other) noexcept {
  tokens += other.tokens;
  nats += other.nats;
  entropy_nats += other.entropy_nats;
  return *this;
}

double chance_sums::cross_entropy() const noexcept { return quotient(nats, number(tokens)); }

double chance_sums::bits_per_token() const noexcept { return cross_entropy() / std::log(2.0); }

double chance_sums::perplexity() const noexcept { return std::exp(cross_entropy()); }

double chance_sums::divergence_from_uniform(std::uint32_t leaves) const noexcept {
  return std::log(static_cast<double>(leaves)) - quotient(entropy_nats, number(tokens));
}

double compression_ratio(std::uint64_t original, std::uint64_t coded) noexcept {
  return quotient(number(original), number(coded));
}

double bits_per(std::uint64_t coded_bytes, std::uint64_t count) noexcept {
  return quotient(8 * number(coded_bytes), number(count));
}

double reconstruction_accuracy(std::uint64_t equal_bytes, std::uint64_t bytes) noexcept {
  return quotient(number(equal_bytes), number(bytes));
}

double loss_percent(const chance_sums& model, const chance_sums& reference) noexcept {
  return 100 * (quotient(model.cross_entropy(), reference.cross_entropy()) - 1);
}

}  // namespace lmzip::train
