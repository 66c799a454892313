#include "app/lmzip/model_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "app/lmzip/names.h"
#include "core/hash.h"
#include "core/io/file.h"
#include "lmzip/error.h"

namespace lmzip::app {
namespace {

constexpr std::size_t least_digits = 8;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(':'), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// The id at the end of a file, or nothing if it is not one of a model.
std::optional<model_id> id_of(const std::string& path) {
  try {
    return id_of_model_file(read_model_file(path));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

model_handle find_by_start(const std::string& start) {
  for (const model_handle& shipped : shipped_models())
    if (to_hex(describe_model(shipped).id).starts_with(start)) return shipped;
  for (const found_model& found : list_model_files())
    if (to_hex(found.id).starts_with(start)) return open_model(found.path);
  return nullptr;
}

}  // namespace

bool is_start_of_id(std::string_view text) {
  return text.size() >= least_digits && text.size() <= 2 * sizeof(model_id) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::vector<std::byte> read_model_file(const std::string& path) {
  io::file file = io::file::open_for_reading(path, true);
  const io::file_status status = file.status();
  if (status.kind != io::file_kind::regular || status.bytes > max_model_file_bytes)
    throw error(errc::damaged, "this is not a model file");
  std::vector<std::byte> content(static_cast<std::size_t>(status.bytes));
  content.resize(file.read_at(0, content));
  return content;
}

std::string own_model_folder() {
  const std::string data = variable("XDG_DATA_HOME"), home = variable("HOME");
  if (!data.empty()) return data + "/lmzip/models";
  return home.empty() ? "" : home + "/.local/share/lmzip/models";
}

std::vector<std::string> model_folders() {
  const std::string given = variable("LMZIP_MODEL_PATH");
  if (!given.empty()) return split(given);
  std::vector<std::string> folders;
  if (const std::string own = own_model_folder(); !own.empty()) folders.push_back(own);
  folders.insert(folders.end(), {"/usr/local/share/lmzip/models", "/usr/share/lmzip/models"});
  return folders;
}

std::vector<found_model> list_model_files() {
  std::vector<found_model> found;
  for (const std::string& folder : model_folders()) {
    const auto status = io::status_of(folder, true);
    if (!status || status->kind != io::file_kind::directory) continue;
    for (const io::directory_entry& entry : io::list_directory(folder)) {
      const std::string path = folder + "/" + entry.name;
      if (!entry.name.ends_with(model_suffix)) continue;
      if (const auto id = id_of(path)) found.push_back({path, *id});
    }
  }
  return found;
}

model_handle open_model(const std::string& path) {
  try {
    return load_model(read_model_file(path));
  } catch (const io::file_error&) {
    throw;
  } catch (const error& cause) {
    throw error(cause.code(), fmt::format("{}: {}", printable(path), cause.what()));
  }
}

model_handle named_model(const std::string& name) {
  if (io::status_of(name, true)) return open_model(name);
  if (is_start_of_id(name))
    if (const model_handle found = find_by_start(name)) return found;
  throw error(errc::missing,
              fmt::format("{}: no such model file, and no model of that id is known (lmzip model "
                          "list shows them)",
                          printable(name)));
}

std::vector<std::byte> file_of_model(const model_handle& model, const std::string& name) {
  const model_id id = describe_model(model).id;
  if (const auto file = shipped_model_file(id); !file.empty()) return {file.begin(), file.end()};
  if (io::status_of(name, true)) return read_model_file(name);
  for (const found_model& found : list_model_files())
    if (found.id == id) return read_model_file(found.path);
  throw error(errc::missing, fmt::format("{}: the model file is gone", printable(name)));
}

model_finder find_models(model_handle given) {
  using models = std::map<model_id, model_handle>;
  const auto known = std::make_shared<models>();
  if (given != nullptr) known->emplace(describe_model(given).id, given);
  return [known](const model_id& id) -> model_handle {
    if (const auto at = known->find(id); at != known->end()) return at->second;
    for (const found_model& found : list_model_files())
      if (found.id == id) return known->emplace(id, open_model(found.path)).first->second;
    return nullptr;
  };
}

}  // namespace lmzip::app
