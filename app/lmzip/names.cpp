#include "app/lmzip/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace lmzip::app {
namespace {

/// Length of the UTF-8 sequence at the front of `text` and its character; 0 if it is invalid.
struct character {
  std::size_t bytes = 0;
  std::uint32_t code = 0;
};

character first_character(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool too_long = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (too_long || surrogate || code > 0x10ffff) return {};
  return {bytes, code};
}

/// Characters that move the cursor, end the line or turn the text around.
bool is_harmful(std::uint32_t code) noexcept {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c ||
         (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::string printable(std::string_view name) {
  std::string text;
  while (!name.empty()) {
    const character next = first_character(name);
    const std::size_t bytes = next.bytes == 0 ? 1 : next.bytes;
    if (next.code == '\\') {
      text += "\\\\";
    } else if (next.bytes != 0 && !is_harmful(next.code)) {
      text += name.substr(0, bytes);
    } else {
      for (const char each : name.substr(0, bytes)) {
        text += fmt::format("\\x{:02x}", static_cast<unsigned char>(each));
      }
    }
    name.remove_prefix(bytes);
  }
  return text;
}

std::size_t count_characters(std::string_view text) noexcept {
  std::size_t count = 0;
  for (; !text.empty(); ++count)
    text.remove_prefix(std::max<std::size_t>(first_character(text).bytes, 1));
  return count;
}

bool is_valid_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const character next = first_character(text);
    if (next.bytes == 0) return false;
    text.remove_prefix(next.bytes);
  }
  return true;
}

std::string replace_invalid_utf8(std::string_view name) {
  std::string text;
  while (!name.empty()) {
    const character next = first_character(name);
    if (next.bytes == 0) {
      text += "\xef\xbf\xbd";
      name.remove_prefix(1);
    } else {
      text += name.substr(0, next.bytes);
      name.remove_prefix(next.bytes);
    }
  }
  return text;
}

std::string base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

}  // namespace lmzip::app
