#include "engine/cut_coder.h"

#include <algorithm>
#include <utility>

#include "core/hash.h"
#include "engine/base_router.h"
#include "engine/number_levels.h"

namespace lmzip::engine {
namespace {

std::uint64_t size_of(const std::vector<container::sealed_block>& blocks) {
  // What stands around a payload, about.
  constexpr std::uint64_t around = 56;
  std::uint64_t bytes = 0;
  for (const container::sealed_block& block : blocks) bytes += block.payload.size() + around;
  return bytes;
}

}  // namespace

std::vector<container::sealed_block> cut_coder::code(uncoded_cut& from,
                                                     cut_scratch& scratch) const {
  if (base_ != nullptr && !from.based.empty()) return against_base(from, scratch);
  // Where tensors may make each other, only a copy of all of them is sure to be better.
  const bool tells = !from.holds.holds.tensors.empty();
  if (!from.repeats.empty() && (!tells || bytes_of(from.repeats) == from.size))
    if (blocks coded = with_repeats(from, scratch); !coded.empty()) return coded;
  bool clearly = false;
  blocks programs = as_programs(from, scratch, clearly);
  if (clearly) return programs;
  blocks others = by_themselves(from, scratch);
  return programs.empty() || size_of(others) <= size_of(programs) ? std::move(others)
                                                                  : std::move(programs);
}

cut_coder::blocks cut_coder::against_base(uncoded_cut& from, cut_scratch& scratch) const {
  blocks coded;
  std::span<const std::byte> plain = from.plain();
  const based_routing ways{plan_, *base_};
  for (routed_part& each :
       route_against_base(ways, from.holds.holds.type, from.based, plain, scratch.verification)) {
    coded.push_back(seal(std::move(each.way), plain.first(each.bytes)));
    plain = plain.subspan(each.bytes);
  }
  return coded;
}

/// One block of the repeats and what is left; nothing if that would not be smaller.
cut_coder::blocks cut_coder::with_repeats(uncoded_cut& from, cut_scratch& scratch) const {
  const auto plain = from.plain();
  const auto left = plain.size() - static_cast<std::size_t>(bytes_of(from.repeats));
  routed result;
  if (left > 0) {
    const auto literals = scratch.literals.take(left);
    gather_literals(plain, from.repeats, literals);
    content holds = from.holds.holds;
    holds.columns = 0;  // rows may be cut
    result = routed_plain(holds, literals, scratch);
  }
  const auto list = write_repeats(from.repeats);
  result.coded.insert(result.coded.begin(), list.begin(), list.end());
  blocks coded;
  if (result.coded.size() <= plain.size())
    coded.push_back(seal(std::move(result), plain, container::block_type::reference));
  return coded;
}

/// A block of programs and what leads it, or nothing where no tensor has structure.
cut_coder::blocks cut_coder::as_programs(uncoded_cut& from, cut_scratch& scratch,
                                         bool& clearly) const {
  blocks coded;
  const cut& holds = from.holds;
  const auto plain = from.plain();
  if (plan_.leaves == nullptr || holds.holds.tensors.empty() || plain.size() != holds.bytes)
    return coded;
  const auto lead = static_cast<std::size_t>(holds.lead);
  const auto tensors = plain.subspan(lead);
  auto programs = code_programs(plan_, holds.holds, tensors, holds.parts.size());
  if (!programs) return coded;
  clearly = programs->clearly;
  if (lead > 0)
    coded.push_back(seal(routed_plain({}, plain.first(lead), scratch), plain.first(lead)));
  coded.push_back(seal(std::move(programs->block), tensors));
  return coded;
}

/// The blocks that a cut falls into by type and size.
cut_coder::blocks cut_coder::by_themselves(uncoded_cut& from, cut_scratch& scratch) const {
  blocks coded;
  std::span<const std::byte> plain = from.plain();
  const auto add = [&](const content& holds, std::size_t bytes) {
    const auto part = plain.first(bytes);
    coded.push_back(seal(routed_plain(holds, part, scratch), part));
    plain = plain.subspan(bytes);
  };
  if (from.holds.parts.empty()) add(from.holds.holds, plain.size());
  for (const cut& part : from.holds.parts) {
    // Only the last one can be shorter than was promised.
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(part.bytes, plain.size()));
    if (bytes == 0) break;
    add(part.holds, bytes);
  }
  return coded;
}

routed cut_coder::routed_plain(const content& holds, std::span<const std::byte> plain,
                               cut_scratch& scratch) const {
  if (!holds.has_numbers()) return route(plan_.ways, plain, scratch.verification);
  return route(routing_of_numbers(plan_.level, holds, plain.size(), plan_.ways), plain,
               scratch.verification);
}

container::sealed_block cut_coder::seal(routed result, std::span<const std::byte> plain,
                                        container::block_type type) const {
  container::block_header header;
  header.type = type;
  header.codec = static_cast<std::uint8_t>(result.how.codec);
  header.codec_version = result.how.version;
  header.parameters = result.how.parameters;
  header.why = result.why;
  header.plain_bytes = static_cast<std::uint32_t>(plain.size());
  header.plain_hash = xxh3_64(plain);
  if (strong_) header.digest = sha256_of(plain);
  return container::seal(header, std::move(result.coded));
}

}  // namespace lmzip::engine
