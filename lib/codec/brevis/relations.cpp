#include "codec/brevis/relations.h"

#include <algorithm>
#include <tuple>

#include "codec/delta/cast.h"
#include "core/hash.h"

namespace lmzip::codec::brevis {
namespace {

// Shorter tensors are cheaper as they are.
constexpr std::size_t min_elements = 8;

// Of one key: more tensors than these are not compared.
constexpr std::size_t most_of_a_key = 8;

constexpr std::uint64_t sign_of_f64 = std::uint64_t{1} << 63;

/// A floating-point number as an f64, an integer with its sign.
std::uint64_t value_of(dtype type, const std::byte* at) {
  std::array<std::byte, 8> wide{};
  if (holds_floats(type)) {
    if (type == dtype::f64)
      std::copy_n(at, 8, wide.begin());
    else
      delta::cast(type, at, 1, dtype::f64, wide.data());
    return load_le<std::uint64_t>(wide.data());
  }
  const unsigned bytes = bits_of(type) / 8;
  std::copy_n(at, bytes, wide.begin());
  const auto value = load_le<std::uint64_t>(wide.data());
  const unsigned unused = 64 - 8 * bytes;
  if (!holds_signed(type)) return value;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}

bool has_transpose(const tensor_view& x) noexcept {
  return x.shape.size() == 2 && x.shape[0] > 1 && x.shape[1] > 1;
}

/// Sampled values; of a transposed tensor, those that the other one has at its own places.
template <std::size_t Count>
std::array<std::uint64_t, Count> samples_of(const tensor_view& x, bool transposed, bool as_source) {
  std::array<std::uint64_t, Count> samples;
  if (!transposed) {
    sample_places places(x.elements(), 29);
    for (auto& sample : samples) sample = value_of(x.type, x.at(places.next()));
    return samples;
  }
  sample_places rows(x.rows(), as_source ? 31 : 32), columns(x.columns(), as_source ? 32 : 31);
  for (auto& sample : samples) {
    const std::size_t row = rows.next();
    sample = value_of(x.type, x.at(row * x.columns() + columns.next()));
  }
  return samples;
}

std::uint64_t cast_through(std::uint64_t f64, dtype through) {
  std::array<std::byte, 8> wide, narrow;
  store_le(wide.data(), f64);
  delta::cast(dtype::f64, wide.data(), 1, through, narrow.data());
  return value_of(through, narrow.data());
}

int exponent_of(std::uint64_t f64) noexcept { return static_cast<int>(f64 >> 52 & 0x7ff); }

}  // namespace

std::optional<relation_index::key> relation_index::key_of(const tensor_view& x, values samples,
                                                          bool transposed) {
  const auto first =
      std::find_if(samples.begin(), samples.end(), [](std::uint64_t v) { return v << 1 != 0; });
  if (first == samples.end()) return std::nullopt;
  // A few values alike say nothing.
  if (std::count(samples.begin(), samples.end(), *first) > std::ptrdiff_t{sampled} / 2)
    return std::nullopt;
  key result{0, (*first & sign_of_f64) != 0, 0};
  const bool negative = result.negative;
  if (holds_floats(x.type)) {
    result.exponent = exponent_of(*first);
    for (std::uint64_t& v : samples) {
      if (v << 1 == 0) {
        v = 0;
        continue;
      }
      const int exponent = exponent_of(v);
      const std::uint64_t fraction = v & ((std::uint64_t{1} << 52) - 1);
      const bool other = (v & sign_of_f64) != 0;
      v = static_cast<std::uint64_t>(exponent - result.exponent + 4096) << 53 | fraction << 1 |
          (other != negative ? 1U : 0U);
    }
  } else if (negative) {
    for (std::uint64_t& v : samples) v = 0 - v;
  }
  std::array<std::byte, (sampled + 2) * 8> hashed;
  for (std::size_t i = 0; i < sampled; ++i) store_le(&hashed[8 * i], samples[i]);
  store_le(&hashed[8 * sampled], static_cast<std::uint64_t>(x.elements()));
  const std::uint64_t kind = (transposed ? 2U : 0U) | (holds_floats(x.type) ? 1U : 0U);
  store_le(&hashed[8 * sampled + 8], kind);
  result.hash = xxh3_64(hashed);
  return result;
}

void relation_index::insert(std::size_t number, const tensor_view& x, const values& samples,
                            bool transposed, dtype through) {
  const auto found = key_of(x, samples, transposed);
  if (!found || entries_.count(found->hash) >= most_of_a_key) return;
  entries_.emplace(
      found->hash,
      entry{{number, transposed, false, 0, through}, found->negative, found->exponent});
}

void relation_index::add(std::size_t number, const tensor_view& x) {
  if (x.elements() < min_elements || !(holds_floats(x.type) || holds_integers(x.type))) return;
  for (const bool transposed : {false, true}) {
    if (transposed && !has_transpose(x)) continue;
    const values samples = samples_of<sampled>(x, transposed, true);
    insert(number, x, samples, transposed, dtype::bytes);
    if (!holds_floats(x.type)) continue;
    for (const dtype through : {dtype::bf16, dtype::f16, dtype::f32}) {
      if (bits_of(through) >= bits_of(x.type)) continue;
      values cast;
      std::transform(samples.begin(), samples.end(), cast.begin(),
                     [&](std::uint64_t v) { return cast_through(v, through); });
      if (cast != samples) insert(number, x, cast, transposed, through);
    }
  }
}

void relation_index::look_up(const key& wanted, std::size_t most,
                             std::vector<relation>& found) const {
  std::vector<relation> all;
  const auto [begin, end] = entries_.equal_range(wanted.hash);
  for (auto it = begin; it != end; ++it) {
    relation r = it->second.how;
    r.negated = it->second.negative != wanted.negative;
    r.exponent = wanted.exponent - it->second.exponent;
    all.push_back(r);
  }
  const auto effort = [](const relation& r) {
    return std::tuple(
        (r.negated ? 1 : 0) + (r.exponent != 0 ? 1 : 0) + (r.through != dtype::bytes ? 1 : 0),
        r.source, static_cast<unsigned>(r.through));
  };
  std::sort(all.begin(), all.end(),
            [&](const relation& a, const relation& b) { return effort(a) < effort(b); });
  for (const relation& r : all)
    if (found.size() < most) found.push_back(r);
}

std::vector<relation> relation_index::find(const tensor_view& x, std::size_t most) const {
  std::vector<relation> found;
  if (entries_.empty() || x.elements() < min_elements ||
      !(holds_floats(x.type) || holds_integers(x.type)))
    return found;
  for (const bool transposed : {false, true}) {
    if (transposed && !has_transpose(x)) continue;
    const values samples = samples_of<sampled>(x, transposed, false);
    if (const auto wanted = key_of(x, samples, transposed)) look_up(*wanted, most, found);
  }
  return found;
}

}  // namespace lmzip::codec::brevis
