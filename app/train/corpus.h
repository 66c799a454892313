#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lmzip::train {

/// Training text as leaves of the shipped vocabulary's token tree.
struct corpus {
  std::vector<std::uint16_t> leaves;
  std::uint64_t bytes = 0;  ///< of text
};

/// Reads files, all files below directories in the order of their names, and what is in `.lmz`
/// archives. Documents within a file end with zero bytes, which are not learned; no token crosses
/// them. `on_file` is told each name; it may be empty. Throws error for what cannot be read.
corpus read_corpus(const std::vector<std::string>& paths,
                   const std::function<void(const std::string&)>& on_file);

}  // namespace lmzip::train
