#include "core/dtype.h"

#include <array>

namespace lmzip {
namespace {

struct facts {
  std::string_view name;
  unsigned bits;
};

constexpr std::array<facts, dtype_count> all = {{
    {"bytes", 8},   {"BOOL", 8},    {"U8", 8},      {"I8", 8},          {"U16", 16},
    {"I16", 16},    {"U32", 32},    {"I32", 32},    {"U64", 64},        {"I64", 64},
    {"F16", 16},    {"BF16", 16},   {"F32", 32},    {"F64", 64},        {"C64", 64},
    {"C128", 128},  {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E5M2FNUZ", 8}, {"F8_E4M3FNUZ", 8},
    {"F8_E8M0", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4},
}};

}  // namespace

unsigned bits_of(dtype type) noexcept { return all[static_cast<unsigned>(type)].bits; }

std::string_view name_of(dtype type) noexcept { return all[static_cast<unsigned>(type)].name; }

std::optional<dtype> dtype_named(std::string_view name) noexcept {
  for (unsigned i = 1; i < dtype_count; ++i)
    if (all[i].name == name) return static_cast<dtype>(i);
  return std::nullopt;
}

}  // namespace lmzip
