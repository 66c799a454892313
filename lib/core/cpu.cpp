#include "core/cpu.h"

#include <array>
#include <atomic>
#include <utility>

namespace lmzip {
namespace {

constexpr std::array<std::pair<isa, std::string_view>, 3> names{
    {{isa::scalar, "scalar"}, {isa::avx2, "avx2"}, {isa::avx512, "avx512"}}};

std::atomic<isa>& selected() noexcept {
  static std::atomic<isa> value{best_isa()};
  return value;
}

}  // namespace

isa best_isa() noexcept {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
  const bool avx512 = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq");
  if (avx2 && avx512) return isa::avx512;
  if (avx2) return isa::avx2;
#endif
  return isa::scalar;
}

isa active_isa() noexcept { return selected().load(std::memory_order_relaxed); }

bool active_has_byte_permutes() noexcept {
#if defined(__x86_64__)
  return active_isa() == isa::avx512 && __builtin_cpu_supports("avx512vbmi") &&
         __builtin_cpu_supports("avx512vbmi2");
#else
  return false;
#endif
}

isa select_isa(isa wanted) noexcept {
  const isa chosen = wanted > best_isa() ? best_isa() : wanted;
  selected().store(chosen, std::memory_order_relaxed);
  return chosen;
}

std::string_view isa_name(isa which) noexcept {
  for (const auto& [value, name] : names)
    if (value == which) return name;
  return "unknown";
}

std::optional<isa> isa_from_name(std::string_view name) noexcept {
  for (const auto& [value, text] : names)
    if (text == name) return value;
  return std::nullopt;
}

}  // namespace lmzip
