#pragma once

#include <optional>
#include <string_view>

namespace lmzip {

/// Instruction sets that codecs have paths for, weakest first. All paths give equal bytes.
enum class isa { scalar, avx2, avx512 };

/// The strongest instruction set that this processor and this build have.
isa best_isa() noexcept;

/// The instruction set in use: best_isa(), or a weaker one set by select_isa().
isa active_isa() noexcept;

/// Makes active_isa() answer `wanted`, or best_isa() where the processor cannot. Process-wide;
/// call before any coding starts. Returns what is then active.
isa select_isa(isa wanted) noexcept;

/// Whether the instruction set in use is isa::avx512 and the processor also has the permutations,
/// compressions and expansions of bytes and words that came later (VBMI, VBMI2).
bool active_has_byte_permutes() noexcept;

std::string_view isa_name(isa which) noexcept;
std::optional<isa> isa_from_name(std::string_view name) noexcept;

}  // namespace lmzip
