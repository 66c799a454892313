#include "engine/base_router.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "codec/delta/delta_block.h"
#include "codec/delta/delta_codec.h"
#include "codec/fill/fill.h"
#include "engine/number_levels.h"
#include "engine/tensor_cuts.h"
#include "formats/container/format.h"

namespace lmzip::engine {
namespace {

namespace delta = codec::delta;

// Smaller parts go with their neighbours: a sample of so few numbers tells nothing, and a block of
// their own costs more than they gain.
constexpr std::uint64_t least_judged = std::uint64_t{2} << 10;

// Estimates that are closer than so many per cent are decided by coding both ways.
constexpr std::uint64_t doubt = 6;

// What a payload says about a part.
constexpr std::uint64_t segment_bytes = 46;

// The general codecs are not asked for an estimate of blocks of that size: see number_levels.cpp.
constexpr std::uint64_t large = std::uint64_t{1} << 20;

/// What is known of a part.
struct judged_part {
  std::optional<std::uint32_t> partner;  // of the base
  bool equal = false;
  std::uint64_t cost = 0, cost_without_base = 0;  // of its sample, in bytes, blown up to the part

  bool may_gain() const noexcept { return cost * (100 - doubt) <= cost_without_base * 100; }
};

class based_journey {
 public:
  based_journey(const based_routing& ways, dtype type, std::span<const based_part> parts,
                std::span<const std::byte> plain, byte_buffer& scratch)
      : ways_(ways), type_(type), parts_(parts), plain_(plain), scratch_(scratch) {}

  std::vector<routed_part> run() {
    base_.resize(plain_.size());
    std::size_t at = 0;
    for (const based_part& each : parts_) {
      judge(each, at);
      at += each.part.bytes;
    }
    std::size_t first = 0, offset = 0;
    while (first < parts_.size()) {
      const bool against = wanted_[first];
      std::size_t last = first;
      std::uint64_t bytes = 0;
      for (; last < parts_.size() && wanted_[last] == against; ++last)
        bytes += parts_[last].part.bytes;
      against ? code_against(first, last, offset, bytes) : code_without(first, last, offset, done_);
      offset += bytes;
      first = last;
    }
    return std::move(done_);
  }

 private:
  void judge(const based_part& each, std::size_t at) {
    const auto plain = plain_.subspan(at, each.part.bytes);
    const auto base = std::span(base_).subspan(at, each.part.bytes);
    judged_part result;
    result.partner = partner_of(each, plain);
    if (result.partner) {
      read(*result.partner, each.part, 0, base);
      result.equal = std::memcmp(plain.data(), base.data(), plain.size()) == 0;
    }
    bool wanted = each.part.bytes < least_judged || result.equal;
    if (each.part.bytes >= least_judged && codec::fill_block(plain)) {
      wanted = false;
    } else if (!wanted && result.partner) {
      estimate(plain, base, each.part.columns, result);
      wanted = result.may_gain();
    }
    wanted_.push_back(wanted);
    judged_.push_back(result);
  }

  void estimate(std::span<const std::byte> plain, std::span<const std::byte> base,
                std::uint64_t columns, judged_part& result) const {
    const std::vector<std::byte> sample = sample_of_numbers(plain);
    const auto blown_up = [&](std::uint64_t bytes) { return bytes * plain.size() / sample.size(); };
    result.cost = blown_up(cost_of(sample, sample_of_numbers(base)));
    std::uint64_t least = sample.size();
    const routing without = routing_of_numbers(ways_.plan.level, {type_, columns},
                                               std::max(large, plain.size()), ways_.plan.ways);
    for (const auto& coder : without.candidates) {
      try {
        least = std::min(least, coder->estimate(sample).coded_bytes);
      } catch (const std::exception&) {
        // It will fail again when the block is coded, and be left out there.
      }
    }
    result.cost_without_base = blown_up(least);
  }

  /// Of a sample against that of a base, in bytes.
  std::uint64_t cost_of(std::span<const std::byte> sample, std::span<const std::byte> base) const {
    return delta::estimate(type_, {type_, base}, sample) / (std::uint64_t{8} << 16) + 1;
  }

  std::optional<std::uint32_t> partner_of(const based_part& each,
                                          std::span<const std::byte> plain) const {
    if (each.from.choice == nullptr || each.part.bytes < least_judged) return each.from.named;
    const std::vector<std::byte> sample = sample_of_numbers(plain);
    std::optional<std::uint32_t> best;
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint32_t candidate : *each.from.choice) {
      const std::uint64_t cost = cost_of(sample, sample_of_base(candidate, each.part));
      if (cost >= least) continue;
      least = cost;
      best = candidate;
    }
    return best;
  }

  std::vector<std::byte> sample_of_base(std::uint32_t tensor, const tensor_slice& part) const {
    const auto pieces = pieces_of_numbers(part.bytes);
    std::vector<std::byte> sample;
    for (const sample_piece& piece : pieces) {
      const std::size_t have = sample.size();
      sample.resize(have + piece.bytes);
      read(tensor, part, piece.offset, std::span(sample).subspan(have));
    }
    return sample;
  }

  /// Numbers of the base at `offset` in the part, as the type of the block.
  void read(std::uint32_t tensor, const tensor_slice& part, std::uint64_t offset,
            std::span<std::byte> to) const {
    const dtype from = ways_.base.tensors()[tensor].type;
    const std::uint64_t begin = delta::base_bytes(from, type_, part.offset + offset);
    delta::read_as(
        type_, from,
        [&](std::uint64_t at, std::span<std::byte> out) {
          ways_.base.read(tensor, begin + at, out);
        },
        to);
  }

  delta::segment segment_of(std::size_t i) const {
    const tensor_slice& part = parts_[i].part;
    delta::segment s{.plain_bytes = static_cast<std::uint32_t>(part.bytes), .base = std::nullopt};
    if (!judged_[i].partner) return s;
    const std::uint32_t tensor = *judged_[i].partner;
    const base_tensor& t = ways_.base.tensors()[tensor];
    s.base = {.type = t.type,
              .tensor = ways_.base.hash_of(tensor),
              .tensor_bytes = t.bytes,
              .hint = tensor,
              .offset = delta::base_bytes(t.type, type_, part.offset)};
    return s;
  }

  delta::relation relation_of(std::span<const delta::segment> segments, std::size_t first) const {
    bool equal = true, cast = false;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      equal = equal && judged_[first + i].equal;
      cast = cast || (segments[i].base && segments[i].base->type != type_);
    }
    if (!equal) return delta::relation::difference;
    return cast ? delta::relation::cast : delta::relation::equal;
  }

  /// Codes parts against the base, unless that costs more than without it.
  void code_against(std::size_t first, std::size_t last, std::size_t offset, std::uint64_t bytes) {
    const auto plain = plain_.subspan(offset, bytes);
    std::vector<delta::segment> segments;
    for (std::size_t i = first; i < last; ++i) segments.push_back(segment_of(i));
    const delta::relation how = relation_of(segments, first);
    codec::encoded coded = delta::encode_block(
        type_, segments, how, std::span<const std::byte>(base_).subspan(offset, bytes), plain);
    const bool fits = coded.coded.size() < bytes && is_verified(coded, plain);
    const bool is_small = coded.coded.size() < bytes / 20;
    if (fits && (is_small || !is_doubtful(first, last))) {
      done_.push_back(routed_against(std::move(coded), bytes));
      return;
    }
    std::vector<routed_part> without;
    code_without(first, last, offset, without);
    if (fits && coded.coded.size() < coded_bytes_of(without)) {
      done_.push_back(routed_against(std::move(coded), bytes));
      return;
    }
    for (routed_part& each : without) done_.push_back(std::move(each));
  }

  bool is_doubtful(std::size_t first, std::size_t last) const {
    std::uint64_t cost = 0, without = 0;
    for (std::size_t i = first; i < last; ++i) {
      const judged_part& part = judged_[i];
      const bool is_judged = part.cost_without_base > 0;
      const std::uint64_t bytes = parts_[i].part.bytes;
      cost += segment_bytes + (is_judged ? part.cost : part.equal ? 0 : bytes);
      without += is_judged ? part.cost_without_base : bytes;
    }
    return cost * 100 >= without * (100 - doubt);
  }

  static routed_part routed_against(codec::encoded coded, std::uint64_t bytes) {
    return {{coded.how, container::reason::smallest, std::move(coded.coded)}, bytes};
  }

  static std::uint64_t coded_bytes_of(std::span<const routed_part> blocks) {
    std::uint64_t sum = 0;
    for (const routed_part& each : blocks)
      sum += each.way.coded.size() + container::block_overhead_bytes;
    return sum - container::block_overhead_bytes;
  }

  bool is_verified(const codec::encoded& coded, std::span<const std::byte> plain) {
    if (!ways_.plan.ways.verify) return true;
    try {
      base_view view(ways_.base, max_base_depth);
      const auto again = scratch_.take(plain.size());
      codec::delta_decoder_v0.decode(coded.how.parameters, coded.coded, again, {nullptr, &view});
      return std::memcmp(again.data(), plain.data(), plain.size()) == 0;
    } catch (const std::exception&) {
      return false;
    }
  }

  /// Codes slices as programs or as blocks of their own, whichever is smaller.
  void code_without(std::size_t first, std::size_t last, std::size_t offset,
                    std::vector<routed_part>& to) {
    std::vector<tensor_slice> slices;
    std::uint64_t bytes = 0;
    for (std::size_t i = first; i < last; ++i) {
      slices.push_back(parts_[i].part);
      bytes += slices.back().bytes;
    }
    const auto plain = plain_.subspan(offset, bytes);
    const auto cuts = cut_slices(type_, slices, ways_.plan.block_bytes);
    auto programs = as_programs(slices, plain, cuts.size());
    std::vector<routed_part> others;
    if (!programs || !programs->clearly) others = by_themselves(cuts, plain);
    if (programs && (programs->clearly || programs->block.coded.size() < coded_bytes_of(others))) {
      to.push_back({std::move(programs->block), bytes});
      return;
    }
    for (routed_part& each : others) to.push_back(std::move(each));
  }

  std::optional<program_block> as_programs(std::span<const tensor_slice> slices,
                                           std::span<const std::byte> plain,
                                           std::size_t blocks) const {
    if (ways_.plan.leaves == nullptr || slices.size() > codec::brevis::max_tensors)
      return std::nullopt;
    content holds;
    for (const tensor_slice& slice : slices) {
      if (!slice.part) return std::nullopt;
      holds.tensors.push_back(*slice.part);
    }
    return code_programs(ways_.plan, holds, plain, blocks);
  }

  std::vector<routed_part> by_themselves(std::span<const cut> cuts,
                                         std::span<const std::byte> plain) {
    std::vector<routed_part> blocks;
    for (const cut& each : cuts) {
      const auto part = plain.first(each.bytes);
      plain = plain.subspan(each.bytes);
      const routing& general = ways_.plan.ways;
      blocks.push_back(
          {each.holds.has_numbers()
               ? route(routing_of_numbers(ways_.plan.level, each.holds, each.bytes, general), part,
                       scratch_)
               : route(general, part, scratch_),
           each.bytes});
    }
    return blocks;
  }

  const based_routing& ways_;
  dtype type_;
  std::span<const based_part> parts_;
  std::span<const std::byte> plain_;
  byte_buffer& scratch_;
  std::vector<std::byte> base_;  // of the whole block, as its type; zeros where there is none
  std::vector<judged_part> judged_;
  std::vector<bool> wanted_;  // against the base, as far as is known of the part alone
  std::vector<routed_part> done_;
};

}  // namespace

std::vector<routed_part> route_against_base(const based_routing& ways, dtype type,
                                            std::span<const based_part> parts,
                                            std::span<const std::byte> plain,
                                            byte_buffer& scratch) {
  return based_journey(ways, type, parts, plain, scratch).run();
}

std::uint64_t memory_to_route_against_base(std::uint64_t plain_bytes, bool verify) {
  const std::uint64_t bytes = std::min(plain_bytes, max_numbers_bytes);
  // The base, two codes of the block, and pieces of both.
  const std::uint64_t coding = 3 * bytes + (std::uint64_t{1} << 20) + delta::encoding_memory(bytes);
  return verify ? coding + bytes + delta::block_decoding_memory(bytes) : coding;
}

std::uint64_t memory_to_decode_against_base(std::uint64_t plain_bytes) {
  return delta::block_decoding_memory(std::min(plain_bytes, max_numbers_bytes));
}

}  // namespace lmzip::engine
