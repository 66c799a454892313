#include "app/lmzip/json.h"

#include <span>

#include "app/lmzip/names.h"
#include "core/hash.h"

namespace lmzip::app {

void add_name(json& object, const std::string& key, std::string_view name) {
  object[key] = replace_invalid_utf8(name);
  if (!is_valid_utf8(name)) object[key + "_hex"] = to_hex(std::as_bytes(std::span(name)));
}

std::string to_line(const json& object) {
  constexpr int no_indent = -1;
  constexpr bool ascii_only = true;
  return object.dump(no_indent, ' ', ascii_only, json::error_handler_t::replace) + "\n";
}

}  // namespace lmzip::app
