#include "codec/brevis/leaf_coding.h"

#include <algorithm>

#include "codec/lmc/lmc_encoder.h"
#include "codec/ratio/ratio_codec.h"
#include "codec/zstd/zstd_codec.h"

namespace lmzip::codec::brevis {
namespace {

// Up to here codings are tried rather than judged by a sample.
constexpr std::size_t tried_bytes = std::size_t{64} << 10;

constexpr std::size_t sample_bytes = std::size_t{16} << 10;

}  // namespace

std::vector<std::byte> sample_numbers(dtype type, std::span<const std::byte> numbers,
                                      std::size_t most) {
  constexpr std::size_t pieces = 4;
  if (numbers.size() <= most) return {numbers.begin(), numbers.end()};
  const std::size_t step = bits_of(type) % 8 == 0 ? bits_of(type) / 8 : bits_of(type);
  const std::size_t piece = most / pieces / step * step;
  std::vector<std::byte> sample;
  sample.reserve(most);
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t from = (numbers.size() - piece) / (pieces - 1) * i / step * step;
    const auto part = numbers.subspan(from, piece);
    sample.insert(sample.end(), part.begin(), part.end());
  }
  return sample;
}

std::vector<std::byte> planes_of(std::span<const std::byte> numbers, std::size_t element_bytes) {
  const std::size_t count = numbers.size() / element_bytes;
  std::vector<std::byte> planes(count * element_bytes);
  for (std::size_t b = 0; b < element_bytes; ++b)
    for (std::size_t i = 0; i < count; ++i) planes[b * count + i] = numbers[i * element_bytes + b];
  return planes;
}

std::uint64_t estimate_rest(dtype type, std::span<const std::byte> numbers) {
  if (numbers.empty()) return 0;
  const auto sample = sample_numbers(type, numbers, sample_bytes);
  const std::uint64_t cost = ratio::estimate(type, sample);
  return cost / sample.size() * numbers.size() +
         cost % sample.size() * numbers.size() / sample.size();
}

leaf_coding::leaf_coding(search_effort effort)
    : probe_(make_zstd_encoder(3)),
      quick_(make_zstd_encoder(9)),
      strong_(make_zstd_encoder(19)),
      strong_limit_(effort == search_effort::full ? std::uint64_t{4} << 20 : tried_bytes) {}

std::vector<std::byte> leaf_coding::zstd(std::span<const std::byte> bytes) const {
  return (bytes.size() <= strong_limit_ ? *strong_ : *quick_).encode(bytes).coded;
}

std::vector<std::byte> leaf_coding::code_planes(std::span<const std::byte> planes) const {
  return zstd(planes);
}

std::size_t leaf_coding::estimate_planes(std::span<const std::byte> planes) const {
  return static_cast<std::size_t>(probe_->estimate(planes).coded_bytes);
}

coded_numbers leaf_coding::code(dtype type, std::uint64_t columns,
                                std::span<const std::byte> numbers) const {
  coded_numbers best{leaf_coder::raw, {numbers.begin(), numbers.end()}};
  if (numbers.size() < 16) return best;
  const auto offer = [&](leaf_coder coder, std::vector<std::byte> payload) {
    if (payload.size() < best.payload.size()) best = {coder, std::move(payload)};
  };
  const auto row = static_cast<std::uint32_t>(columns <= UINT32_MAX ? columns : 0);
  offer(leaf_coder::ratio, ratio::encode({type, row}, numbers));
  if (numbers.size() <= tried_bytes) {
    offer(leaf_coder::lmc, lmc::encode(type, numbers));
    offer(leaf_coder::zstd, zstd(numbers));
    return best;
  }
  const auto sample = sample_numbers(type, numbers, sample_bytes);
  const auto promises = [&](std::size_t sample_coded) {
    return sample_coded * numbers.size() / sample.size() < best.payload.size();
  };
  if (promises(lmc::estimate(type, sample))) offer(leaf_coder::lmc, lmc::encode(type, numbers));
  if (promises(estimate_planes(sample))) offer(leaf_coder::zstd, zstd(numbers));
  return best;
}

std::uint64_t leaf_coding::memory(std::uint64_t plain_bytes) const {
  return std::max({quick_->memory(plain_bytes),
                   strong_->memory(std::min(plain_bytes, strong_limit_)),
                   ratio::encoding_memory(plain_bytes),
                   lmc::encoding_memory(static_cast<std::size_t>(plain_bytes)) +
                       lmc::encoded_bound(static_cast<std::size_t>(plain_bytes))});
}

}  // namespace lmzip::codec::brevis
