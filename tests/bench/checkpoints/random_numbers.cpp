#include "bench/checkpoints/random_numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace checkpoints {
namespace {

constexpr int table_bits = 12;
constexpr std::size_t table_size = std::size_t{1} << table_bits;
constexpr int fraction_bits = 31 - table_bits;  // a bit of 32 is the sign

struct line {
  float begin, slope;
};

/// Where the normal distribution has the share `p` between -x and x.
double quantile(double p) {
  double low = 0, high = 8;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle / std::sqrt(2.0)) < p ? low : high) = middle;
  }
  return low;
}

std::array<line, table_size> make_table() {
  constexpr double largest = 4.6;
  std::array<line, table_size> table;
  double begin = 0;
  for (std::size_t i = 0; i < table_size; ++i) {
    const double end =
        i + 1 == table_size ? largest : quantile(static_cast<double>(i + 1) / table_size);
    table[i] = {static_cast<float>(begin),
                static_cast<float>((end - begin) / (1 << fraction_bits))};
    begin = end;
  }
  return table;
}

}  // namespace

std::uint64_t mixed(std::uint64_t key) noexcept {
  key += 0x9e3779b97f4a7c15;
  key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9;
  key = (key ^ key >> 27) * 0x94d049bb133111eb;
  return key ^ key >> 31;
}

std::uint64_t key_of(std::string_view name) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return mixed(hash);
}

random_bits::random_bits(std::uint64_t key) noexcept {
  for (std::size_t i = 0; i < lanes; ++i)
    state_[i] = std::max<std::uint32_t>(static_cast<std::uint32_t>(mixed(key + i)), 1);
  step();
  step();
}

void random_bits::step() noexcept {
  for (std::uint32_t& x : state_) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
}

void random_bits::fill(std::span<std::uint32_t> out) noexcept {
  while (!out.empty()) {
    step();
    const std::size_t count = std::min(out.size(), lanes);
    std::memcpy(out.data(), state_.data(), count * sizeof(std::uint32_t));
    out = out.subspan(count);
  }
}

void to_normal(std::span<const std::uint32_t> bits, std::span<float> out) noexcept {
  static const std::array<line, table_size> table = make_table();
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const line& l = table[bits[i] >> 1 & (table_size - 1)];
    const float size = l.begin + l.slope * static_cast<float>(bits[i] >> (table_bits + 1));
    out[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(size) | bits[i] << 31);
  }
}

double normal_of(std::uint64_t key) noexcept {
  std::uint32_t bits;
  float number;
  random_bits(key).fill({&bits, 1});
  to_normal({&bits, 1}, {&number, 1});
  return number;
}

}  // namespace checkpoints
