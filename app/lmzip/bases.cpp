#include "app/lmzip/bases.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/lmzip/model_search.h"
#include "lmzip/error.h"

namespace lmzip::app {

bool has_file(const base_handle& base, const io::file_status& file) {
  if (base == nullptr) return false;
  for (const std::string& name : describe_base(base).files) {
    const auto status = io::status_of(name, true);
    if (status && io::is_same_file(*status, file)) return true;
  }
  return false;
}

bool add_bases(std::string_view value, std::vector<std::string>& bases) {
  std::string name;
  for (std::size_t i = 0; i <= value.size(); ++i) {
    const bool ends = i == value.size() || value[i] == ',';
    if (ends && i + 1 < value.size() && value[i + 1] == ',') {
      name += value[i++];
    } else if (ends) {
      if (name.empty()) return false;
      bases.push_back(std::exchange(name, {}));
    } else {
      name += value[i];
    }
  }
  return true;
}

base_handle open_bases(const coding_settings& coding, const model_handle& model,
                       std::string_view option) {
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
    throw error(cause.code(), fmt::format("{}: {}", option, cause.what()), cause.offset());
  }
}

}  // namespace lmzip::app
