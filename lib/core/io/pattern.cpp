#include "core/io/pattern.h"

#include <fnmatch.h>

namespace lmzip::io {

bool matches_pattern(const std::string& name, const std::string& pattern) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

}  // namespace lmzip::io
