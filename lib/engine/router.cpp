#include "engine/router.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "codec/fill/fill.h"
#include "codec/store/store.h"
#include "codec/zstd/zstd_codec.h"

namespace lmzip::engine {
namespace {

using container::reason;

// Smaller blocks are coded rather than judged by an estimate.
constexpr std::size_t min_judged_bytes = std::size_t{1} << 20;

// A sample is a few per cent of a large block, and as much as tells codecs apart.
constexpr std::size_t sample_part = 24;
constexpr std::size_t min_sample_bytes = std::size_t{4} << 10;
constexpr std::size_t max_sample_bytes = std::size_t{48} << 10;
constexpr std::size_t sample_pieces = 3;

// Whole numbers of all types fill such a piece of a sample.
constexpr std::size_t numbers_step = 192;

// Pieces spread over the block; they begin at multiples of `step`.
std::vector<sample_piece> pieces_of(std::size_t plain_bytes, std::size_t step) {
  const std::size_t wanted =
      std::clamp(plain_bytes / sample_part, min_sample_bytes, max_sample_bytes);
  if (plain_bytes <= wanted) return {{0, plain_bytes}};
  const std::size_t piece_bytes = wanted / sample_pieces / step * step;
  std::vector<sample_piece> pieces;
  for (std::size_t i = 1; i <= sample_pieces; ++i)
    pieces.push_back(
        {(plain_bytes - piece_bytes) / (sample_pieces + 1) * i / step * step, piece_bytes});
  return pieces;
}

std::vector<std::byte> sample_of(std::span<const std::byte> plain, std::size_t step) {
  std::vector<std::byte> sample;
  for (const sample_piece& each : pieces_of(plain.size(), step)) {
    const auto piece = plain.subspan(each.offset, each.bytes);
    sample.insert(sample.end(), piece.begin(), piece.end());
  }
  return sample;
}

// One block on its way: what has worked so far, and what has gone wrong.
class journey {
 public:
  journey(const routing& ways, std::span<const std::byte> plain, byte_buffer& scratch)
      : ways_(ways), plain_(plain), scratch_(scratch) {}

  routed run() {
    if (auto fill = codec::fill_block(plain_)) {
      if (accepted(*fill)) return {fill->how, reason::constant, std::move(fill->coded)};
      failure_ = reason::verification_failed;
    }
    if (!ways_.holds_numbers && codec::looks_incompressible(plain_))
      return stored(reason::incompressible);
    rank();
    // What repeats over a long distance may still shrink, which a sample does not show.
    const bool hard = judged_incompressible();
    if (hard) ranking_.clear();
    for (const ranked& next : ranking_)
      if (!best_ || for_block(next.expected.coded_bytes) < best_->coded.size())
        try_encoder(*next.coder, next.expected.choice);
    if (!best_ && ways_.fallback) try_encoder(*ways_.fallback, codec::undecided);
    if (!best_) return stored(failure_.value_or(hard ? reason::incompressible : reason::level));
    if (best_->coded.size() >= plain_.size())
      return stored(hard ? reason::incompressible : reason::not_smaller);
    return {best_->how, why(), std::move(best_->coded)};
  }

 private:
  struct ranked {
    const codec::encoder* coder;
    codec::outlook expected;
  };

  // Orders the candidates by what they make of the same sample. Trials cost time, so a single
  // candidate needs none.
  void rank() {
    if (ways_.candidates.size() == 1) {
      ranking_.push_back({ways_.candidates.front().get(), {}});
      return;
    }
    const std::vector<std::byte> sample = sample_of(plain_, ways_.holds_numbers ? numbers_step : 1);
    sample_bytes_ = sample.size();
    for (const auto& candidate : ways_.candidates) {
      try {
        ranking_.push_back({candidate.get(), candidate->estimate(sample)});
      } catch (const std::exception&) {
        failure_ = reason::encoder_failed;
      }
    }
    std::stable_sort(ranking_.begin(), ranking_.end(), [](const ranked& a, const ranked& b) {
      return a.expected.coded_bytes < b.expected.coded_bytes;
    });
  }

  bool judged_incompressible() const {
    return ranking_.size() > 1 && plain_.size() >= min_judged_bytes &&
           ranking_.front().expected.coded_bytes >= sample_bytes_ - sample_bytes_ / 200;
  }

  std::uint64_t for_block(std::uint64_t coded_bytes_of_sample) const {
    return coded_bytes_of_sample * plain_.size() / sample_bytes_;
  }

  void try_encoder(const codec::encoder& coder, std::uint32_t choice) {
    try {
      codec::encoded result = coder.encode_as(plain_, choice);
      if (result.coded.empty() ||
          codec::find_decoder(result.how.codec, result.how.version) == nullptr) {
        failure_ = reason::encoder_failed;
      } else if (!accepted(result)) {
        failure_ = reason::verification_failed;
      } else if (!best_ || result.coded.size() < best_->coded.size()) {
        best_ = std::move(result);
      }
    } catch (const std::exception&) {
      failure_ = reason::encoder_failed;
    }
  }

  bool accepted(const codec::encoded& result) {
    if (!ways_.verify) return true;
    try {
      const auto again = scratch_.take(plain_.size());
      codec::find_decoder(result.how.codec, result.how.version)
          ->decode(result.how.parameters, result.coded, again, ways_.model.get());
      return std::memcmp(again.data(), plain_.data(), plain_.size()) == 0;
    } catch (const std::exception&) {
      return false;
    }
  }

  reason why() const {
    return failure_.value_or(ways_.candidates.size() > 1 ? reason::smallest : reason::level);
  }

  routed stored(reason why) const {
    auto [how, coded] = codec::store_block(plain_);
    return {how, why, std::move(coded)};
  }

  const routing& ways_;
  std::span<const std::byte> plain_;
  byte_buffer& scratch_;
  std::vector<ranked> ranking_;
  std::size_t sample_bytes_ = 1;
  std::optional<codec::encoded> best_;
  std::optional<reason> failure_;
};

template <typename Measure>
std::uint64_t largest(const routing& ways, Measure measure) {
  std::uint64_t most = ways.fallback ? measure(*ways.fallback) : 0;
  for (const auto& candidate : ways.candidates) most = std::max(most, measure(*candidate));
  return most;
}

}  // namespace

std::vector<sample_piece> pieces_of_numbers(std::size_t plain_bytes) {
  return pieces_of(plain_bytes, numbers_step);
}

std::vector<std::byte> sample_of_numbers(std::span<const std::byte> plain) {
  return sample_of(plain, numbers_step);
}

routed route(const routing& ways, std::span<const std::byte> plain, byte_buffer& scratch) {
  return journey(ways, plain, scratch).run();
}

std::uint64_t routing_memory(const routing& ways, std::uint64_t plain_bytes) {
  const std::uint64_t coding =
      largest(ways, [&](const codec::encoder& e) { return e.memory(plain_bytes); });
  if (!ways.verify) return coding;
  return std::max(coding, decoding_memory(ways, plain_bytes)) + plain_bytes;
}

std::uint64_t decoding_memory(const routing& ways, std::uint64_t plain_bytes) {
  return largest(ways, [&](const codec::encoder& e) { return e.decoder_memory(plain_bytes); });
}

}  // namespace lmzip::engine
