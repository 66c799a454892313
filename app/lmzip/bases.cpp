#include "app/lmzip/bases.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/lmzip/model_search.h"
#include "core/io/file.h"
#include "lmzip/error.h"

namespace lmzip::app {

base_handle open_bases(const coding_settings& coding, const model_handle& model) {
  if (coding.bases.empty()) return nullptr;
  base_options options;
  options.memory_limit = coding.memory_limit.value_or(0);
  // Blocks of a base are often needed once only.
  if (options.memory_limit != 0)
    options.cache_bytes = std::min(options.cache_bytes, options.memory_limit / 8);
  options.find_model = find_models(model);
  try {
    return open_base(coding.bases, options);
  } catch (const io::file_error&) {
    throw;
  } catch (const error& cause) {
    throw error(cause.code(), fmt::format("--base: {}", cause.what()), cause.offset());
  }
}

}  // namespace lmzip::app
