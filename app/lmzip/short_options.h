#pragma once

#include <string>
#include <vector>

namespace lmzip::app {

/// The arguments before "--", one option each, and those that follow it.
struct split_arguments {
  std::vector<std::string> options;
  std::vector<std::string> operands;
};

/// Brings the arguments into the one form that the option parser takes for every option: groups of
/// short options are taken apart ("-dc" to "-d" "-c", "-9k" to "-9" "-k"), values are joined to
/// long names ("-T4" and "-T 4" to "--threads=4"). Throws error(usage) for a value that is
/// missing and for numbers of several digits ("-19").
split_arguments split_short_options(const std::vector<std::string>& arguments);

}  // namespace lmzip::app
