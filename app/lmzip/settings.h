#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lmzip/compress.h"

namespace lmzip::app {

enum class operation { compress, decompress, test, list, info, repair, rebase };

enum class progress_style { automatic, off, text, json };

/// Which files are read.
struct input_settings {
  bool force = false;      ///< follow links, take files that have the suffix
  bool recursive = false;  ///< go into directories
};

/// Where results go.
struct output_settings {
  bool to_stdout = false;
  std::optional<std::string> path;  ///< -o
  bool force = false;               ///< replace existing files, write archives to a terminal
  bool remove_input = false;
  bool sync = false;
  bool sparse = true;
  std::string suffix = ".lmz";
};

/// A part of the plain bytes of an archive.
struct plain_range {
  static constexpr std::uint64_t to_the_end = ~std::uint64_t{0};
  std::uint64_t offset = 0;
  std::uint64_t bytes = to_the_end;
};

/// How bytes are coded. What is not given on the command line comes from the environment, then
/// from the defaults.
struct coding_settings {
  std::optional<int> level;
  std::optional<unsigned> threads;
  std::optional<std::uint64_t> memory_limit;  ///< 0: none
  std::optional<bool> verify;
  std::uint64_t block_bytes = 0;
  std::uint64_t window = window_of_level;
  tensor_search search = tensor_search::by_level;
  std::string model;  ///< file or id; empty: what the level or the archive says
  bool embed_model = false;
  std::vector<std::string> bases;  ///< files and folders, in the order they were given
  std::vector<std::string> onto;   ///< of rebase: what the archive is to need instead
  unsigned delta_depth = 8;        ///< longest chain of archives that is made
  bool strong = false;
  bool store_name = false;
  std::string name;  ///< stored instead of the file's own name if not empty
  std::uint64_t output_limit = 0;
  bool keep_going = false;
  std::optional<plain_range> range;  ///< decompress only this
};

struct message_settings {
  int verbosity = 0;
  bool no_warn = false;
  bool json = false;
  bool programs = false;  ///< info: of tensors
  progress_style progress = progress_style::automatic;
};

/// One run of the program.
struct settings {
  operation what = operation::compress;
  bool help = false;
  bool version = false;
  input_settings input;
  output_settings output;
  coding_settings coding;
  message_settings message;
  std::vector<std::string> files;  ///< "-" is standard input; never empty after parsing
};

}  // namespace lmzip::app
