// Speed and ratio of the tensor codec on one core, memory to memory, beside memcpy of the same
// bytes and zstd on byte planes. Usage:
//   lmzip-tensor-kernels [--types=F32,BF16,…] [FILE]
// The numbers are those of FILE, or of a safetensors file what follows its header; without one,
// 64 MiB of each type that is named, rounded from a mixture of normal distributions. Times are the
// CPU time of the thread, the best of several runs in turn. LMZIP_ISA selects instructions.

#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "codec/lmc/lmc.h"
#include "codec/lmc/lmc_encoder.h"
#include "codec/lmc/planes.h"
#include "core/cpu.h"
#include "core/dtype.h"
#include "core/endian.h"

namespace {

using namespace lmzip;
using byte_vector = std::vector<std::byte>;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Runs all jobs in turn, several times, and gives the best time of each.
std::vector<double> best_times(const std::vector<std::function<void()>>& jobs, int runs) {
  std::vector<double> best(jobs.size(), std::numeric_limits<double>::max());
  for (int run = 0; run < runs; ++run)
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const double start = cpu_seconds();
      jobs[i]();
      best[i] = std::min(best[i], cpu_seconds() - start);
    }
  return best;
}

// A small float of `exponent` and `mantissa` bits, sign above, rounded towards zero.
std::uint64_t small_float(double value, unsigned exponent, unsigned mantissa) {
  const int bias = (1 << (exponent - 1)) - 1;
  const int most = (1 << exponent) - 1;
  const std::uint64_t sign = std::signbit(value) ? std::uint64_t{1} << (exponent + mantissa) : 0;
  int power = 0;
  const double fraction = std::frexp(std::fabs(value), &power);  // 0.5 … 1
  int field = power - 1 + bias;
  if (value == 0 || field < -static_cast<int>(mantissa)) return sign;
  field = std::min(field, most - 1);
  const double scale = field > 0 ? 2 * fraction - 1 : std::ldexp(fraction, field);
  const auto bits = static_cast<std::uint64_t>(std::ldexp(scale, static_cast<int>(mantissa)));
  return sign | static_cast<std::uint64_t>(std::max(field, 0)) << mantissa | bits;
}

std::uint64_t as_number(dtype type, double value) {
  switch (type) {
    case dtype::f32:
    case dtype::c64:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case dtype::f64:
    case dtype::c128:
      return std::bit_cast<std::uint64_t>(value);
    case dtype::bf16:
      return small_float(value, 8, 7);
    case dtype::f16:
      return small_float(value, 5, 10);
    case dtype::f8_e5m2:
    case dtype::f8_e5m2fnuz:
      return small_float(value, 5, 2);
    case dtype::f8_e4m3:
    case dtype::f8_e4m3fnuz:
      return small_float(8 * value, 4, 3);
    case dtype::f6_e3m2:
      return small_float(16 * value, 3, 2);
    case dtype::f6_e2m3:
      return small_float(16 * value, 2, 3);
    case dtype::f4:
      return small_float(32 * value, 2, 1);
    case dtype::f8_e8m0:
      return static_cast<std::uint64_t>(120 + std::lround(40 * value));
    case dtype::boolean:
      return value > 0.05;
    default:
      return static_cast<std::uint64_t>(std::lround(600 * value));
  }
}

// Weights of a layer have a common scale; scales of layers differ.
byte_vector random_numbers(dtype type, std::size_t bytes) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<std::uint64_t> pool(std::size_t{1} << 22);
  double scale = 0.03;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    if (i % 4096 == 0) scale = 0.03 * std::exp2(normal(random) / 4);
    pool[i] = as_number(type, scale * normal(random));
  }
  byte_vector made(bytes);
  const unsigned bits = bits_of(type) > 64 ? 64 : bits_of(type);
  if (type == dtype::c64) return random_numbers(dtype::f32, bytes);
  std::size_t at = 0;
  for (std::size_t i = 0; (i + 1) * bits <= 8 * bytes; ++i, at += bits) {
    const std::uint64_t number = pool[i * 2654435761 % pool.size()];
    for (unsigned bit = 0; bit < bits;) {
      const unsigned shift = static_cast<unsigned>((at + bit) % 8);
      made[(at + bit) / 8] |= static_cast<std::byte>(number >> bit << shift & 0xff);
      bit += std::min(8 - shift, bits - bit);
    }
  }
  return made;
}

byte_vector read_numbers(const char* name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) throw std::runtime_error(std::string("cannot open ") + name);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  std::size_t start = 0;
  if (all.size() > 10 && all[8] == '{') start = 8 + load_le<std::uint64_t>(all.data());
  const auto bytes = std::as_bytes(std::span(all)).subspan(start);
  return {bytes.begin(), bytes.end()};
}

// Byte k of all numbers, then byte k + 1.
byte_vector byte_planes(const byte_vector& plain, std::size_t width) {
  byte_vector planes(plain.size());
  const std::size_t count = plain.size() / width;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < width; ++k) planes[k * count + i] = plain[i * width + k];
  std::copy(plain.begin() + static_cast<std::ptrdiff_t>(count * width), plain.end(),
            planes.begin() + static_cast<std::ptrdiff_t>(count * width));
  return planes;
}

// What an ideal coder of single symbols would make of the planes, as a part of the plain bytes.
double ideal_ratio(dtype type, const byte_vector& plain) {
  const auto& shape = codec::lmc::layout_of(type);
  const std::size_t units = plain.size() / shape.unit_bytes;
  const std::size_t numbers = units * shape.unit_numbers;
  double bits = 0;
  for (const auto& part : shape.planes) {
    std::array<std::uint64_t, 256> counts{};
    for (std::size_t first = 0; first < numbers; first += codec::lmc::batch_numbers) {
      const std::size_t count = std::min(codec::lmc::batch_numbers, numbers - first);
      std::array<std::uint8_t, codec::lmc::batch_numbers> symbols;
      std::array<std::uint8_t, 8 * codec::lmc::batch_numbers> bytes;
      std::array<std::uint8_t, codec::lmc::batch_numbers> rest;
      codec::lmc::find_split(part.kind)(part,
                                        reinterpret_cast<const std::uint8_t*>(plain.data()) +
                                            first / shape.unit_numbers * shape.unit_bytes,
                                        symbols.data(), bytes.data(), rest.data(), count);
      for (std::size_t i = 0; i < count; ++i) ++counts[symbols[i]];
    }
    for (const std::uint64_t count : counts)
      if (count != 0)
        bits -= static_cast<double>(count) *
                std::log2(static_cast<double>(count) / static_cast<double>(numbers));
    bits += static_cast<double>(numbers) * (8 * part.raw_bytes + part.raw_bits);
  }
  return bits / 8 / static_cast<double>(plain.size());
}

struct zstd_row {
  int level;
  std::size_t size = 0;
};

void measure(dtype type, const byte_vector& plain) {
  const std::size_t bound = codec::lmc::encoded_bound(plain.size());
  byte_vector coded(bound);
  byte_vector again(plain.size());
  std::size_t size = 0;
  const auto times =
      best_times({[&] { std::memcpy(again.data(), plain.data(), plain.size()); },
                  [&] { size = codec::lmc::encode_into(type, plain, coded); },
                  [&] { codec::lmc::decode(type, std::span(coded).first(size), again); }},
                 5);
  const bool equal = again == plain;

  const std::size_t width = std::max<std::size_t>(1, bits_of(type) / 8);
  const byte_vector planes = byte_planes(plain, width);
  std::array<zstd_row, 2> peers{{{1}, {3}}};
  std::string peer_columns;
  for (zstd_row& peer : peers) {
    byte_vector packed(ZSTD_compressBound(planes.size()));
    const auto peer_times =
        best_times({[&] {
                      peer.size = ZSTD_compress(packed.data(), packed.size(), planes.data(),
                                                planes.size(), peer.level);
                    },
                    [&] { ZSTD_decompress(again.data(), again.size(), packed.data(), peer.size); }},
                   1);
    char text[64];
    std::snprintf(text, sizeof text, " %.4f | %.2f | %.2f |",
                  static_cast<double>(peer.size) / static_cast<double>(plain.size()),
                  static_cast<double>(plain.size()) / peer_times[0] / 1e9,
                  static_cast<double>(plain.size()) / peer_times[1] / 1e9);
    peer_columns += text;
  }
  const double bytes = static_cast<double>(plain.size());
  std::printf("| %.*s | %.4f | %.4f | %.2f | %.2f | %.2f | %.2f |%s %.1f |%s\n",
              static_cast<int>(name_of(type).size()), name_of(type).data(),
              static_cast<double>(size) / bytes, ideal_ratio(type, plain), bytes / times[1] / 1e9,
              times[0] / times[1], bytes / times[2] / 1e9, times[0] / times[2],
              peer_columns.c_str(), bytes / times[0] / 1e9, equal ? "" : " NOT EQUAL");
  std::fflush(stdout);
}

std::vector<dtype> parse_types(std::string_view list) {
  std::vector<dtype> types;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const auto type = dtype_named(list.substr(0, comma));
    if (!type) throw std::runtime_error("unknown type in the list");
    types.push_back(*type);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return types;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<dtype> types{dtype::bf16,    dtype::f16,     dtype::f32, dtype::f64, dtype::f8_e4m3,
                           dtype::f8_e5m2, dtype::f6_e3m2, dtype::f4,  dtype::i8,  dtype::i16};
  const char* file = nullptr;
  try {
    if (const char* wanted = std::getenv("LMZIP_ISA"))
      if (const auto which = isa_from_name(wanted)) select_isa(*which);
    for (int i = 1; i < argc; ++i) {
      const std::string_view argument = argv[i];
      if (argument.starts_with("--types="))
        types = parse_types(argument.substr(8));
      else
        file = argv[i];
    }
    std::printf("Instructions: %s\n\n", std::string(isa_name(active_isa())).c_str());
    std::printf(
        "| dtype | ratio | ideal | encode GB/s | x memcpy | decode GB/s | x memcpy | zstd -1 "
        "planes "
        "| encode | decode | zstd -3 planes | encode | decode | memcpy GB/s |\n"
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (const dtype type : types)
      measure(type, file ? read_numbers(file) : random_numbers(type, std::size_t{64} << 20));
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "lmzip-tensor-kernels: %s\n", fault.what());
    return 1;
  }
}
