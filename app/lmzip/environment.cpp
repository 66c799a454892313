#include "app/lmzip/environment.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <string_view>

#include "app/lmzip/sizes.h"
#include "core/cpu.h"
#include "core/io/memory.h"
#include "lmzip/compress.h"

namespace lmzip::app {
namespace {

/// The value of a variable, passed through `parse`; nothing if it is unset, empty or bad.
template <typename Parse>
auto variable(const char* name, std::string_view wanted, messages& out, Parse parse)
    -> decltype(parse(std::string_view())) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  auto parsed = parse(std::string_view(value));
  if (!parsed) {
    out.note(fmt::format("{}={}", name, value), fmt::format("ignored, it is not {}", wanted));
  }
  return parsed;
}

std::optional<int> parse_level(std::string_view text) {
  const auto number = parse_number(text);
  if (!number || *number < min_level || *number > max_level) return std::nullopt;
  return static_cast<int>(*number);
}

std::optional<unsigned> parse_threads(std::string_view text) {
  const auto number = parse_number(text);
  if (!number || *number > 1024) return std::nullopt;
  return static_cast<unsigned>(*number);
}

std::optional<bool> parse_switch(std::string_view text) {
  if (text == "0") return false;
  if (text == "1") return true;
  return std::nullopt;
}

}  // namespace

void apply_environment(settings& run, messages& out) {
  coding_settings& coding = run.coding;
  const auto level = variable("LMZIP_LEVEL", "a level from 1 to 9", out, parse_level);
  if (!coding.level) coding.level = level;

  const auto threads = variable("LMZIP_THREADS", "a number from 0 to 1024", out, parse_threads);
  if (!coding.threads) coding.threads = threads.value_or(1);

  const std::uint64_t usable = io::usable_memory();
  const auto limit =
      variable("LMZIP_MEMLIMIT", "a size, a percentage or none", out,
               [&](std::string_view text) { return parse_memory_limit(text, usable); });
  if (!coding.memory_limit) coding.memory_limit = limit.value_or(usable);

  const auto verify = variable("LMZIP_VERIFY", "0 or 1", out, parse_switch);
  if (!coding.verify) coding.verify = verify.value_or(false);

  const auto isa = variable("LMZIP_ISA", "scalar, avx2 or avx512", out, isa_from_name);
  if (isa) select_isa(*isa);
}

}  // namespace lmzip::app
