#include "app/lmzip/verbs.h"

#include <algorithm>
#include <array>

#include "core/io/file.h"
#include "core/io/process.h"
#include "lmzip/error.h"

namespace lmzip::app {

verb verb_of(std::string_view word) noexcept {
  constexpr std::array<std::string_view, 8> reserved = {"add",  "create", "diff",   "prune",
                                                        "join", "mount",  "import", "bench"};
  if (word == "info") return verb::info;
  if (word == "verify") return verb::verify;
  if (word == "repair") return verb::repair;
  if (word == "rebase") return verb::rebase;
  if (word == "list") return verb::list;
  if (word == "extract") return verb::extract;
  if (word == "vocab") return verb::vocab;
  if (word == "tune") return verb::tune;
  if (word == "model") return verb::model;
  if (word == "train" || word == "distill" || word == "eval") return verb::train;
  const bool found = std::find(reserved.begin(), reserved.end(), word) != reserved.end();
  return found ? verb::reserved : verb::none;
}

void refuse_ambiguous_verb(const std::string& word) {
  // Nobody means a directory: without -r it would only be skipped.
  const auto status = io::status_of(word, false);
  if (!status || status->kind == io::file_kind::directory) return;
  throw error(errc::usage, word + " is a command and also a file here: write ./" + word +
                               " or -- " + word +
                               " for the file, or use the command in another directory");
}

void run_training_program(const std::vector<std::string>& arguments) {
  io::become_program("lmzip-train", "../train", arguments);
  throw error(errc::usage, arguments.front() +
                               " needs the program lmzip-train, which is not installed (build with "
                               "-DLMZIP_WITH_TRAIN=ON)");
}

}  // namespace lmzip::app
