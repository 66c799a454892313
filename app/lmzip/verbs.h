#pragma once

#include <string>
#include <string_view>

namespace lmzip::app {

/// What a first argument that is a command's name asks for.
enum class verb { none, info, verify, repair, vocab, tune, model, reserved };

verb verb_of(std::string_view word) noexcept;

/// Throws error(usage) if a file called `word` is in the working directory: then nobody can tell
/// what is meant.
void refuse_ambiguous_verb(const std::string& word);

}  // namespace lmzip::app
