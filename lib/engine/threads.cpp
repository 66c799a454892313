#include "engine/threads.h"

#include <algorithm>
#include <limits>
#include <string>
#include <thread>

#include "lmzip/error.h"

namespace lmzip::engine {
namespace {

// The figures may come from an archive's header, so sums that overflow have to stay large.
std::uint64_t sum_of(const memory_need& need, unsigned threads, std::size_t slots) noexcept {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t sane = std::uint64_t{1} << 50;
  if (need.per_thread > sane || need.per_slot > sane || need.fixed > sane) return most;
  return need.fixed + need.per_thread * threads + need.per_slot * slots;
}

std::size_t slots_for(unsigned threads) noexcept { return threads == 1 ? 1 : threads + 1; }

unsigned resolve(unsigned wanted) noexcept {
  if (wanted == 0) wanted = std::thread::hardware_concurrency();
  return std::clamp(wanted, 1U, max_threads);
}

}  // namespace

std::uint64_t memory_of(const memory_need& need, unsigned threads) noexcept {
  threads = resolve(threads);
  return sum_of(need, threads, slots_for(threads));
}

thread_plan plan_threads(const memory_need& need, unsigned wanted, std::uint64_t limit) {
  wanted = resolve(wanted);
  if (limit == 0) return {wanted, slots_for(wanted)};
  for (unsigned threads = wanted; threads > 0; --threads)
    for (std::size_t slots = slots_for(threads); slots >= threads; --slots)
      if (sum_of(need, threads, slots) <= limit) return {threads, slots};
  throw error(errc::memory_limit, "needs " + std::to_string(sum_of(need, 1, 1)) +
                                      " bytes of memory, more than the limit of " +
                                      std::to_string(limit));
}

}  // namespace lmzip::engine
