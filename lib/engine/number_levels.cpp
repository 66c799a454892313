#include "engine/number_levels.h"

#include <algorithm>

#include "codec/brevis/brevis_encoder.h"
#include "codec/lmc/lmc_encoder.h"
#include "codec/ratio/ratio_codec.h"
#include "codec/zstd/zstd_codec.h"
#include "engine/tensor_cuts.h"
#include "lmzip/compress.h"

namespace lmzip::engine {
namespace {

constexpr int first_ratio_level = 4;

// The codecs for other blocks are slow beside those for numbers, and seldom better on numbers with
// exponents: only where there is little of them, as in small models, are they worth a trial.
constexpr std::uint64_t little = std::uint64_t{256} << 10;

bool is_integer(dtype type) noexcept { return type >= dtype::boolean && type <= dtype::i64; }

// zstd finds repeats; what it gains beyond its fastest level on numbers is not worth its time.
int zstd_level_for(int level) noexcept { return level < first_ratio_level ? 1 : 9; }

codec::brevis::search_options options_of(const level_plan& plan) {
  codec::brevis::search_options options;
  options.effort = plan.search;
  return options;
}

template <typename Measure>
std::uint64_t most_of_all_types(const level_plan& plan, std::uint64_t plain_bytes,
                                Measure measure) {
  const std::uint64_t bytes = std::min(plain_bytes, max_numbers_bytes);
  std::uint64_t most = 0;
  for (unsigned i = 1; i < dtype_count; ++i) {
    const content holds{static_cast<dtype>(i), 1};
    most = std::max(most, measure(routing_of_numbers(plan.level, holds, bytes, plan.ways), bytes));
  }
  if (plan.leaves != nullptr) {
    routing programs;
    programs.candidates.push_back(codec::make_brevis_encoder(
        {}, options_of(plan), plan.leaves, codec::brevis::without_structure::give_up));
    most = std::max(most, measure(programs, bytes));
  }
  return most;
}

}  // namespace

routing routing_of_numbers(int level, const content& holds, std::uint64_t plain_bytes,
                           const routing& general) {
  routing ways;
  ways.holds_numbers = true;
  ways.verify = general.verify;
  ways.model = general.model;
  if (level >= first_ratio_level) {
    const auto columns =
        holds.columns <= UINT32_MAX ? static_cast<std::uint32_t>(holds.columns) : 0;
    ways.candidates.push_back(codec::make_ratio_encoder(holds.type, columns));
  }
  ways.candidates.push_back(codec::make_lmc_encoder(holds.type));
  if (is_integer(holds.type) || (level >= first_ratio_level && plain_bytes <= little))
    ways.candidates.insert(ways.candidates.end(), general.candidates.begin(),
                           general.candidates.end());
  else
    ways.candidates.push_back(codec::make_zstd_encoder(zstd_level_for(level)));
  ways.fallback = ways.candidates.back();
  return ways;
}

std::optional<program_block> code_programs(const level_plan& plan, const content& holds,
                                           std::span<const std::byte> plain, std::size_t parts) {
  using codec::brevis::without_structure;
  // Many small blocks of numbers gain by being one, even without structure: what stands around
  // each of them, and statistics. It takes the time of coding them twice.
  constexpr std::size_t many = 3;
  constexpr std::uint64_t around = 60, worthwhile_part = 1000;
  const bool worthwhile = parts >= many && (plan.search == codec::brevis::search_effort::full ||
                                            parts * around >= plain.size() / worthwhile_part);
  try {
    auto coded = codec::brevis::encode(
        holds.tensors, plain, options_of(plan), *plan.leaves,
        worthwhile ? without_structure::code_all_the_same : without_structure::give_up);
    if (!coded || coded->payload.size() >= plain.size()) return std::nullopt;
    // Numbers without structure are coded here as elsewhere, so the others decide.
    constexpr std::uint64_t clear_part = 32, large_part = 8, least = std::uint64_t{16} << 10;
    const bool clearly = plain.size() >= least &&
                         coded->structured_bytes >= plain.size() / large_part &&
                         coded->program_bytes <= coded->structured_bytes / clear_part;
    return program_block{
        {{codec::codec_id::brevis, 0, 0}, container::reason::smallest, std::move(coded->payload)},
        clearly};
  } catch (const std::exception&) {
    return std::nullopt;  // other codecs code it
  }
}

std::uint64_t memory_to_route_numbers(const level_plan& plan, std::uint64_t plain_bytes) {
  return most_of_all_types(plan, plain_bytes, routing_memory);
}

std::uint64_t memory_to_decode_numbers(const level_plan& plan, std::uint64_t plain_bytes) {
  return most_of_all_types(plan, plain_bytes, decoding_memory);
}

}  // namespace lmzip::engine
