#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lmzip::app {

/// What a first argument that is a command's name asks for.
enum class verb {
  none,
  info,
  verify,
  repair,
  rebase,
  list,
  extract,
  vocab,
  tune,
  model,
  train,
  reserved
};

verb verb_of(std::string_view word) noexcept;

/// Runs lmzip-train, which alone has what trains models, in place of this program. Returns only by
/// an exception: error(usage) if it is not installed.
[[noreturn]] void run_training_program(const std::vector<std::string>& arguments);

/// Throws error(usage) if a file called `word` is in the working directory: then nobody can tell
/// what is meant.
void refuse_ambiguous_verb(const std::string& word);

}  // namespace lmzip::app
