#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lmzip/model.h"

namespace lmzip::app {

inline constexpr const char* model_suffix = ".lmzm";

/// Folders that model files are looked for in, in this order: those of LMZIP_MODEL_PATH, or the
/// user's and the system's data folders.
std::vector<std::string> model_folders();

/// Where `lmzip model add` puts models; empty if there is no home directory.
std::string own_model_folder();

/// A model file that was found.
struct found_model {
  std::string path;
  model_id id;
};

/// The model files of all folders. Files that are no models are passed over.
std::vector<found_model> list_model_files();

/// The bytes of a model file. Throws error(damaged) if it cannot be one, io::file_error.
std::vector<std::byte> read_model_file(const std::string& path);

/// Reads a model file; errors name it.
model_handle open_model(const std::string& path);

/// Whether a text may name a model by its id: eight of its digits or more.
bool is_start_of_id(std::string_view text);

/// The model that a user means: a file, or the id, or at least eight digits of its beginning, of a
/// model that is built in or in the folders. Throws error(missing) if there is none.
model_handle named_model(const std::string& name);

/// The file of a model that named_model() found under that name, or of one that is built in.
std::vector<std::byte> file_of_model(const model_handle& model, const std::string& name);

/// Finds the models of archives: `given` if it is the one, or in the folders. A model is read once.
model_finder find_models(model_handle given);

}  // namespace lmzip::app
