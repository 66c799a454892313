#pragma once

#include <cstddef>
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

/// The files that are meant: those themselves, and all below directories in the order of their
/// names. Throws std::filesystem::filesystem_error.
std::vector<std::string> files_of(const std::vector<std::string>& paths);

/// The bytes of a file, or what is in it if it is an `.lmz` archive.
std::vector<std::byte> text_of(const std::string& path);

/// Reads files, all files below directories in the order of their names, and what is in `.lmz`
/// archives. Documents within a file end with zero bytes, which are not learned; no token crosses
/// them. `on_file` is told each name; it may be empty. Throws error for what cannot be read.
corpus read_corpus(const std::vector<std::string>& paths,
                   const std::function<void(const std::string&)>& on_file);

}  // namespace lmzip::train
