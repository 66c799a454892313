#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lmzip::app {

/// A whole number written with decimal digits only.
std::optional<std::uint64_t> parse_number(std::string_view text);

/// A size in bytes: a number, optionally followed by k, m, g or t (either case) or KiB, MiB, GiB
/// or TiB, all powers of 1024. KB and the like are refused: people disagree about them.
std::optional<std::uint64_t> parse_size(std::string_view text);

/// A memory limit in bytes: a size, a percentage of `usable` ("25%"), or "none" (0).
std::optional<std::uint64_t> parse_memory_limit(std::string_view text, std::uint64_t usable);

/// A size for people, e.g. "44.0 MiB".
std::string human_size(std::uint64_t bytes);

/// `coded` in percent of `plain`, e.g. "20.7 %"; "-" if there is nothing to compare with.
std::string percentage(std::uint64_t coded, std::uint64_t plain);

}  // namespace lmzip::app
