#include "app/lmzip/args.h"

#include <fmt/format.h>

#include <cxxopts.hpp>
#include <exception>
#include <limits>
#include <map>

#include "app/lmzip/bases.h"
#include "app/lmzip/names.h"
#include "app/lmzip/output.h"
#include "app/lmzip/short_options.h"
#include "app/lmzip/sizes.h"
#include "core/io/memory.h"
#include "lmzip/compress.h"
#include "lmzip/error.h"

namespace lmzip::app {
namespace {

cxxopts::Options all_options() {
  cxxopts::Options options("lmzip");
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  for (const char* level : {"1", "2", "3", "4", "5", "6", "7", "8", "9"}) add(level, "");
  add("d,decompress", "")("t,test", "")("l,list", "")("c,stdout", "")("k,keep", "");
  add("f,force", "")("q,quiet", "")("v,verbose", "")("r,recursive", "")("h,help", "");
  add("V,version", "")("fast", "")("best", "")("rm", "")("verify", "")("strong", "");
  add("json", "")("sparse", "")("no-sparse", "")("keep-going", "")("no-warn", "")("sync", "");
  add("no-progress", "")("embed-model", "")("programs", "");
  add("o,output", "", text())("S,suffix", "", text())("T,threads", "", text());
  add("memlimit", "", text())("block-size", "", text())("window", "", text());
  add("max-output", "", text())("range", "", text())("model", "", text());
  add("search", "", text());
  add("base", "", text())("delta-depth", "", text())("onto", "", text());
  add("name", "", text()->implicit_value(""))("progress", "", text()->implicit_value(""));
  options.allow_unrecognised_options();
  return options;
}

[[noreturn]] void refuse_value(std::string_view option, const std::string& value,
                               std::string_view wanted) {
  throw error(errc::usage, fmt::format("--{}={}: not {}", option, printable(value), wanted));
}

std::uint64_t size_of(const std::string& option, const std::string& value) {
  const auto bytes = parse_size(value);
  if (!bytes) refuse_value(option, value, "a size such as 64MiB");
  return *bytes;
}

unsigned threads_of(const std::string& option, const std::string& value) {
  const auto count = parse_number(value);
  if (!count || *count > 1024) refuse_value(option, value, "a number from 0 to 1024");
  return static_cast<unsigned>(*count);
}

std::uint64_t memory_limit_of(const std::string& option, const std::string& value) {
  const auto bytes = parse_memory_limit(value, io::usable_memory());
  if (!bytes) refuse_value(option, value, "a size such as 512MiB, a percentage or none");
  return *bytes;
}

/// A limit of 0 would mean none in the library, and a script that hands out what is left of a quota
/// must not lose it.
std::uint64_t output_limit_of(const std::string& option, const std::string& value) {
  const std::uint64_t bytes = size_of(option, value);
  if (bytes == 0) refuse_value(option, value, "a size of at least 1");
  return bytes;
}

std::uint64_t block_bytes_of(const std::string& option, const std::string& value) {
  const std::uint64_t bytes = size_of(option, value);
  if (bytes < min_block_bytes || bytes > max_block_bytes) {
    refuse_value(option, value, "a size from 4KiB to 1GiB");
  }
  return bytes;
}

std::uint64_t window_of(const std::string& option, const std::string& value) {
  const std::uint64_t bytes = size_of(option, value);
  if (bytes > max_window_bytes) refuse_value(option, value, "a size up to 1024GiB");
  return bytes;
}

/// "OFFSET:LENGTH"; without LENGTH up to the end.
plain_range range_of(const std::string& option, const std::string& value) {
  const auto colon = value.find(':');
  const auto offset = parse_size(value.substr(0, colon));
  const std::string rest = colon == std::string::npos ? "" : value.substr(colon + 1);
  const auto length = rest.empty() ? std::optional(plain_range::to_the_end) : parse_size(rest);
  if (!offset || !length || colon == std::string::npos) {
    refuse_value(option, value, "OFFSET:LENGTH, such as 1MiB:4KiB, or OFFSET:");
  }
  return {*offset, *length};
}

void add_bases_of(const std::string& option, const std::string& value,
                  std::vector<std::string>& bases) {
  if (!add_bases(value, bases))
    refuse_value(option, value, "a file, or several with commas between them");
}

unsigned depth_of(const std::string& option, const std::string& value) {
  const auto depth = parse_number(value);
  if (!depth || *depth < 1 || *depth > max_base_depth)
    refuse_value(option, value, "a number from 1 to 255");
  return static_cast<unsigned>(*depth);
}

std::string suffix_of(const std::string& option, const std::string& value) {
  if (value.empty() || value.find('/') != std::string::npos) {
    refuse_value(option, value, "a suffix such as .lmz");
  }
  return value;
}

tensor_search search_of(const std::string& option, const std::string& value) {
  if (value == "none") return tensor_search::none;
  if (value == "fast") return tensor_search::fast;
  if (value == "full") return tensor_search::full;
  refuse_value(option, value, "none, fast or full");
}

progress_style progress_of(const std::string& option, const std::string& value) {
  if (value != "" && value != "json") refuse_value(option, value, "json");
  return value == "json" ? progress_style::json : progress_style::text;
}

/// Modes do not depend on the order of options: the one that does least to files wins.
void choose_operation(settings& run, operation wanted) {
  const bool listing = run.what == operation::list;
  const bool testing = run.what == operation::test;
  if (listing || (testing && wanted != operation::list)) return;
  run.what = wanted;
}

bool apply_flag(const std::string& name, settings& run) {
  static const std::map<std::string_view, void (*)(settings&)> flags = {
      {"decompress", [](settings& s) { choose_operation(s, operation::decompress); }},
      {"test", [](settings& s) { choose_operation(s, operation::test); }},
      {"list", [](settings& s) { choose_operation(s, operation::list); }},
      {"stdout", [](settings& s) { s.output.to_stdout = true; }},
      {"keep", [](settings&) {}},
      {"force", [](settings& s) { s.input.force = s.output.force = true; }},
      {"quiet", [](settings& s) { --s.message.verbosity; }},
      {"verbose", [](settings& s) { ++s.message.verbosity; }},
      {"recursive", [](settings& s) { s.input.recursive = true; }},
      {"help", [](settings& s) { s.help = true; }},
      {"version", [](settings& s) { s.version = true; }},
      {"fast", [](settings& s) { s.coding.level = min_level; }},
      {"best", [](settings& s) { s.coding.level = max_level; }},
      {"rm", [](settings& s) { s.output.remove_input = true; }},
      {"verify", [](settings& s) { s.coding.verify = true; }},
      {"embed-model", [](settings& s) { s.coding.embed_model = true; }},
      {"strong", [](settings& s) { s.coding.strong = true; }},
      {"json", [](settings& s) { s.message.json = true; }},
      {"programs", [](settings& s) { s.message.programs = true; }},
      {"sparse", [](settings& s) { s.output.sparse = true; }},
      {"no-sparse", [](settings& s) { s.output.sparse = false; }},
      {"keep-going", [](settings& s) { s.coding.keep_going = true; }},
      {"no-warn", [](settings& s) { s.message.no_warn = true; }},
      {"sync", [](settings& s) { s.output.sync = true; }},
      {"no-progress", [](settings& s) { s.message.progress = progress_style::off; }},
  };
  const auto found = flags.find(name);
  if (found == flags.end()) return false;
  found->second(run);
  return true;
}

void apply_value(const std::string& name, const std::string& value, settings& run) {
  if (name == "output") {
    if (value.empty()) refuse_value(name, value, "a file name");
    run.output.path = value;
  } else if (name == "suffix") {
    run.output.suffix = suffix_of(name, value);
  } else if (name == "threads") {
    run.coding.threads = threads_of(name, value);
  } else if (name == "memlimit") {
    run.coding.memory_limit = memory_limit_of(name, value);
  } else if (name == "block-size") {
    run.coding.block_bytes = block_bytes_of(name, value);
  } else if (name == "window") {
    run.coding.window = window_of(name, value);
  } else if (name == "search") {
    run.coding.search = search_of(name, value);
  } else if (name == "model") {
    if (value.empty()) refuse_value(name, value, "a model file or id");
    run.coding.model = value;
  } else if (name == "base") {
    add_bases_of(name, value, run.coding.bases);
  } else if (name == "onto") {
    add_bases_of(name, value, run.coding.onto);
  } else if (name == "delta-depth") {
    run.coding.delta_depth = depth_of(name, value);
  } else if (name == "range") {
    run.coding.range = range_of(name, value);
  } else if (name == "max-output") {
    run.coding.output_limit = output_limit_of(name, value);
  } else if (name == "name") {
    run.coding.store_name = true;
    run.coding.name = value;
  } else if (name == "progress") {
    run.message.progress = progress_of(name, value);
  } else {
    run.coding.level = name[0] - '0';
  }
}

}  // namespace

settings settings_for_program_name(std::string_view base_name) {
  settings run;
  if (base_name == "unlmzip" || base_name == "lmzcat") run.what = operation::decompress;
  if (base_name == "lmzcat") run.input.force = run.output.force = run.output.to_stdout = true;
  return run;
}

settings parse_arguments(const std::vector<std::string>& arguments, settings run) {
  const split_arguments split = split_short_options(arguments);
  std::vector<const char*> pointers = {"lmzip"};
  for (const std::string& each : split.options) pointers.push_back(each.c_str());
  cxxopts::Options options = all_options();
  std::vector<std::string> rest;
  try {
    const auto parsed = options.parse(static_cast<int>(pointers.size()), pointers.data());
    for (const auto& each : parsed.arguments()) {
      if (!apply_flag(each.key(), run)) apply_value(each.key(), each.value(), run);
    }
    rest = parsed.unmatched();
  } catch (const cxxopts::exceptions::exception&) {
    // All values are text, so this can only be a flag that was given one.
    throw error(errc::usage, "an option that takes no value was given one");
  }
  for (const std::string& each : rest) {
    if (each.size() > 1 && each[0] == '-') {
      throw error(errc::usage, "unknown option " + printable(each));
    }
    run.files.push_back(each);
  }
  run.files.insert(run.files.end(), split.operands.begin(), split.operands.end());
  if (run.files.empty()) run.files.emplace_back("-");
  return run;
}

void check_settings(const settings& run) {
  const auto refuse = [](const char* text) { throw error(errc::usage, text); };
  const bool makes_files = run.what == operation::compress || run.what == operation::decompress;
  if (run.output.path && run.output.to_stdout) refuse("-o and -c contradict each other");
  if (run.output.path && run.files.size() > 1) {
    refuse("-o takes one input file (use -c to join several)");
  }
  if (run.output.path && run.input.recursive) refuse("-o and -r contradict each other");
  const bool rewrites = run.what == operation::repair || run.what == operation::rebase;
  if (run.output.path && !makes_files && !rewrites) {
    refuse("-o does not go with -t, -l or info: they write no file");
  }
  if (run.output.remove_input && (run.output.to_stdout || !makes_files)) {
    refuse("--rm does not go with -c, -t, -l or a command: nothing would be left of the file");
  }
  if (run.message.json && (makes_files || run.what == operation::rebase))
    refuse("--json goes with -l, -t, info and repair");
  if (run.message.programs && run.what != operation::info) refuse("--programs goes with info only");
  if (run.coding.search != tensor_search::by_level && run.what != operation::compress) {
    refuse("--search goes with compressing only");
  }
  if (run.coding.store_name && run.what != operation::compress) {
    refuse("--name goes with compressing only");
  }
  if (run.coding.range && run.what != operation::decompress) {
    refuse("--range goes with decompressing only");
  }
  if (run.coding.range && (run.coding.keep_going || run.output.remove_input)) {
    refuse("--range does not go with --keep-going or --rm");
  }
  if (!run.coding.onto.empty() && run.what != operation::rebase) {
    refuse("--onto goes with rebase only");
  }
  if (run.what == operation::rebase &&
      (run.files.size() != 1 || run.files.front() == "-" || run.output.to_stdout ||
       (run.output.path && !file_path_of(run.output.path)))) {
    refuse("one archive, and no standard output: lmzip rebase ARCHIVE --base=OLD [-o NEW]");
  }
  if (run.coding.name.size() > 4096) refuse("--name: longer than 4096 bytes");
  if (run.what == operation::repair && (run.files.size() != 1 || !run.output.path)) {
    refuse("one archive and an output needed: lmzip repair DAMAGED -o NEW");
  }
}

}  // namespace lmzip::app
