#include "app/lmzip/short_options.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "app/lmzip/names.h"
#include "lmzip/error.h"

namespace lmzip::app {
namespace {

struct value_option {
  char letter;  ///< 0: none
  std::string_view name;
};

constexpr std::array value_options = {
    value_option{'o', "output"}, value_option{'S', "suffix"},    value_option{'T', "threads"},
    value_option{0, "memlimit"}, value_option{0, "block-size"},  value_option{0, "window"},
    value_option{0, "range"},    value_option{0, "max-output"},  value_option{0, "base"},
    value_option{0, "onto"},     value_option{0, "delta-depth"}, value_option{0, "search"},
};

std::optional<std::string_view> long_name(char letter) {
  const auto found = std::find_if(value_options.begin(), value_options.end(),
                                  [&](const value_option& each) { return each.letter == letter; });
  if (letter == 0 || found == value_options.end()) return std::nullopt;
  return found->name;
}

bool takes_value(std::string_view name) {
  return std::any_of(value_options.begin(), value_options.end(),
                     [&](const value_option& each) { return each.name == name; });
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class splitter {
 public:
  explicit splitter(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  split_arguments run() {
    while (next_ < arguments_.size()) {
      const std::string& argument = arguments_[next_++];
      if (argument == "--") {
        result_.operands.assign(arguments_.begin() + static_cast<std::ptrdiff_t>(next_),
                                arguments_.end());
        break;
      }
      if (argument.starts_with("--")) {
        take_long(argument);
      } else if (argument.size() > 1 && argument[0] == '-') {
        take_group(argument);
      } else {
        result_.options.push_back(argument);
      }
    }
    return std::move(result_);
  }

 private:
  void take_long(const std::string& argument) {
    const std::string name = argument.substr(2);
    if (takes_value(name)) {
      result_.options.push_back(argument + "=" + next_value(argument));
    } else {
      result_.options.push_back(argument);
    }
  }

  void take_group(const std::string& argument) {
    for (std::size_t i = 1; i < argument.size(); ++i) {
      const char letter = argument[i];
      const std::string option = {'-', letter};
      if (const auto name = long_name(letter)) {
        const std::string value =
            i + 1 < argument.size() ? argument.substr(i + 1) : next_value(option);
        result_.options.push_back("--" + std::string(*name) + "=" + value);
        return;
      }
      if (is_digit(letter) && i + 1 < argument.size() && is_digit(argument[i + 1])) {
        throw error(errc::usage, printable(argument) + ": levels are -1 to -9");
      }
      result_.options.push_back(option);
    }
  }

  std::string next_value(const std::string& option) {
    if (next_ == arguments_.size()) throw error(errc::usage, option + " needs a value");
    return arguments_[next_++];
  }

  const std::vector<std::string>& arguments_;
  std::size_t next_ = 0;
  split_arguments result_;
};

}  // namespace

split_arguments split_short_options(const std::vector<std::string>& arguments) {
  return splitter(arguments).run();
}

}  // namespace lmzip::app
