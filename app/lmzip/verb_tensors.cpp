#include "app/lmzip/verb_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cxxopts.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "app/lmzip/bases.h"
#include "app/lmzip/environment.h"
#include "app/lmzip/input.h"
#include "app/lmzip/json.h"
#include "app/lmzip/messages.h"
#include "app/lmzip/model_search.h"
#include "app/lmzip/names.h"
#include "app/lmzip/output.h"
#include "app/lmzip/settings.h"
#include "app/lmzip/sizes.h"
#include "app/lmzip/verbs.h"
#include "core/io/pattern.h"
#include "core/io/signals.h"
#include "lmzip/tensors.h"

namespace lmzip::app {
namespace {

constexpr std::string_view list_help = R"(Usage: lmzip list [OPTION...] ARCHIVE [PATTERN...]

Lists the tensors of a checkpoint (safetensors, GGUF, npy, npz, PyTorch's zip) in an archive: type,
shape, bytes, compressed bytes, bits a number, name. Only its header is decoded. With patterns, as
in file names ('*.weight'), only tensors whose names match one of them.

      --base=FILE  what the archive was made against, if its header needs that
      --json       print one JSON object a tensor
  -h, --help       this text
)";

constexpr std::string_view extract_help =
    R"(Usage: lmzip extract ARCHIVE --tensor=NAME [-o FILE]

Writes the bytes of one tensor of a checkpoint in an archive, as they stand in it. Only what they
need is decoded. lmzip list shows the names.

      --tensor=NAME   the tensor
      --base=FILE     what the archive was made against; may be given several times
  -o, --output=FILE   write there, not to standard output
  -f, --force         replace FILE; write to a terminal
  -h, --help          this text
)";

struct request {
  std::string archive;
  std::vector<std::string> patterns;
  std::string tensor;
  std::vector<std::string> bases;
  std::optional<std::string> output;
  bool json = false;
  bool force = false;
  bool help = false;
};

request parse_request(std::string_view command, cxxopts::Options& options,
                      std::span<const std::string> arguments) {
  const std::string program = fmt::format("lmzip {}", command);
  std::vector<const char*> words = {program.c_str()};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  request asked;
  try {
    const auto parsed = options.parse(static_cast<int>(words.size()), words.data());
    asked.json = parsed.count("json") != 0;
    asked.force = parsed.count("force") != 0;
    asked.help = parsed.count("help") != 0;
    if (parsed.count("tensor") > 1) throw error(errc::usage, "extract: one --tensor at a time");
    if (parsed.count("tensor") != 0) asked.tensor = parsed["tensor"].as<std::string>();
    if (parsed.count("output") != 0) asked.output = parsed["output"].as<std::string>();
    for (const auto& each : parsed.arguments())
      if (each.key() == "base" && !add_bases(each.value(), asked.bases))
        throw error(errc::usage, fmt::format("{}: --base: no file", command));
    asked.patterns = parsed.unmatched();
  } catch (const cxxopts::exceptions::exception& failure) {
    throw error(errc::usage, fmt::format("{}: {}", command, printable(failure.what())));
  }
  if (asked.help) return asked;
  if (asked.patterns.empty())
    throw error(errc::usage, fmt::format("{}: no archive given", command));
  asked.archive = asked.patterns.front();
  asked.patterns.erase(asked.patterns.begin());
  return asked;
}

archive_reader open(const request& asked, messages& out) {
  settings run;
  apply_environment(run, out);
  run.coding.bases = asked.bases;
  archive_reader_options options;
  options.memory_limit = run.coding.memory_limit.value_or(0);
  options.cache_bytes = 0;
  options.find_model = find_models(nullptr);
  options.base = open_bases(run.coding, nullptr);
  return archive_reader(asked.archive, options);
}

/// The tensors of an archive, which must have some.
tensor_table tensors_of(archive_reader& archive) {
  tensor_table table = find_tensors(archive);
  if (table.format != "plain") return table;
  throw error(errc::usage, table.reason.empty()
                               ? std::string("holds no checkpoint (lmzip -l shows its sizes)")
                               : fmt::format("holds no checkpoint: {}", table.reason));
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

/// Bits of the archive for each number; empty where there is none.
std::optional<double> bits_a_number(const tensor_description& t, std::uint64_t coded) {
  double count = 1;
  for (const std::uint64_t axis : t.shape) count *= static_cast<double>(axis);
  if (count == 0 || t.bytes == 0) return std::nullopt;
  return static_cast<double>(coded) * 8 / count;
}

json as_json(const tensor_description& t, std::uint64_t coded) {
  json object;
  add_name(object, "name", t.name);
  add_name(object, "type", t.type);
  object["shape"] = t.shape;
  object["offset"] = t.offset;
  object["bytes"] = t.bytes;
  object["compressed_bytes"] = coded;
  const auto bits = bits_a_number(t, coded);
  object["bits_per_number"] = bits ? json(*bits) : json(nullptr);
  return object;
}

/// A line of the table; `shape` may be a number of tensors.
std::string table_line(std::string_view type, std::string_view shape, std::uint64_t bytes,
                       std::uint64_t coded, std::optional<double> bits, std::string_view name) {
  return fmt::format("{:<8} {:>16} {:>13} {:>13} {:>7} {:>6}{}{}\n", type, shape, bytes, coded,
                     percentage(coded, bytes), bits ? fmt::format("{:.2f}", *bits) : "-",
                     name.empty() ? "" : "  ", name);
}

std::string as_line(const tensor_description& t, std::uint64_t coded) {
  return table_line(printable(t.type), shape_text(t.shape), t.bytes, coded, bits_a_number(t, coded),
                    printable(t.name));
}

/// Sums over tensors, also by type.
class sums {
 public:
  void add(const tensor_description& t, std::uint64_t coded) {
    of_all_.add(t, coded);
    of_type_[t.type].add(t, coded);
  }

  std::uint64_t count() const noexcept { return of_all_.count; }

  std::string lines(std::string_view format) const {
    std::string text;
    if (of_type_.size() > 1)
      for (const auto& [type, sum] : of_type_) text += sum.line(printable(type), "");
    return text + of_all_.line("all", fmt::format("({})", format));
  }

 private:
  struct sum {
    std::uint64_t count = 0, bytes = 0, coded = 0;
    double numbers = 0;  // of tensors whose shape is known

    void add(const tensor_description& t, std::uint64_t coded_bytes) {
      ++count;
      bytes += t.bytes;
      coded += coded_bytes;
      double each = 1;
      for (const std::uint64_t axis : t.shape) each *= static_cast<double>(axis);
      numbers += each;
    }

    std::string line(std::string_view type, std::string_view name) const {
      const auto bits =
          numbers > 0 ? std::optional(static_cast<double>(coded) * 8 / numbers) : std::nullopt;
      return table_line(type, fmt::format("{} tensors", count), bytes, coded, bits, name);
    }
  };

  sum of_all_;
  std::map<std::string, sum> of_type_;
};

bool matches(const std::vector<std::string>& patterns, const std::string& name) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const auto& p) {
           return io::matches_pattern(name, p);
         });
}

void list(const request& asked, standard_output& to, messages& out) {
  archive_reader archive = open(asked, out);
  const tensor_table table = tensors_of(archive);
  sums of;
  for (const tensor_description& t : table.tensors) {
    if (!matches(asked.patterns, t.name)) continue;
    const std::uint64_t coded = archive.coded_size(t.offset, t.bytes);
    if (!asked.json && of.count() == 0)
      to.write(fmt::format("{:<8} {:>16} {:>13} {:>13} {:>7} {:>6}  {}\n", "Type", "Shape", "Bytes",
                           "Compressed", "Ratio", "Bits", "Name"));
    to.write(asked.json ? to_line(as_json(t, coded)) : as_line(t, coded));
    of.add(t, coded);
  }
  if (of.count() == 0 && !asked.patterns.empty())
    throw error(errc::usage, "no tensor has such a name");
  if (!asked.json) to.write(of.lines(table.format));
}

const tensor_description& tensor_named(const tensor_table& table, const std::string& name) {
  const auto found = std::find_if(table.tensors.begin(), table.tensors.end(),
                                  [&](const tensor_description& t) { return t.name == name; });
  if (found == table.tensors.end())
    throw error(errc::usage,
                fmt::format("holds no tensor {} (lmzip list shows the names)", printable(name)));
  return *found;
}

void copy(archive_reader& archive, const tensor_description& t, sink& to) {
  constexpr std::uint64_t step = std::uint64_t{1} << 20;
  for (std::uint64_t done = 0; done < t.bytes && io::pending_signal() == 0; done += step) {
    const auto bytes = static_cast<std::size_t>(std::min(step, t.bytes - done));
    to.write(archive.read(t.offset + done, bytes));
  }
}

void extract(const request& asked, standard_output& standard, messages& out) {
  const std::optional<std::string> path = file_path_of(asked.output);
  if (!path && standard.is_terminal() && !asked.force)
    throw error(errc::usage, "will not write numbers to a terminal (use -o FILE, or -f)");
  archive_reader archive = open(asked, out);
  const tensor_table table = tensors_of(archive);
  const tensor_description& t = tensor_named(table, asked.tensor);
  if (!path) {
    copy(archive, t, standard.bytes(false));
    return;
  }
  const auto in = open_archive(asked.archive, true, out);
  if (!in) return;
  output to(*path, {.force = asked.force, .sync = false, .sparse = false}, in->status);
  copy(archive, t, to.bytes());
  if (io::pending_signal() == 0) to.commit(*in, out);
}

/// Runs a command and reports what goes wrong with its archive.
int run(const request& asked, std::string_view help,
        const std::function<void(standard_output&, messages&)>& command) {
  messages out(0);
  try {
    const io::signal_watch watch;
    standard_output to;
    if (asked.help)
      to.write(help);
    else
      command(to, out);
    to.finish();
  } catch (...) {
    out.report(std::current_exception(), asked.archive);
  }
  if (const int signal = io::pending_signal()) io::die_by_signal(signal);
  return out.status().value(false);
}

}  // namespace

int run_list(std::span<const std::string> arguments) {
  cxxopts::Options options("lmzip list");
  options.add_options()("json", "")("base", "", cxxopts::value<std::string>())("h,help", "");
  const request asked = parse_request("list", options, arguments);
  return run(asked, list_help, [&](standard_output& to, messages& out) { list(asked, to, out); });
}

int run_extract(std::span<const std::string> arguments) {
  cxxopts::Options options("lmzip extract");
  options.add_options()("base", "", cxxopts::value<std::string>())(
      "tensor", "", cxxopts::value<std::string>())("o,output", "", cxxopts::value<std::string>())(
      "f,force", "")("h,help", "");
  const request asked = parse_request("extract", options, arguments);
  if (!asked.help && asked.tensor.empty())
    throw error(errc::usage, "extract: no tensor given (--tensor=NAME)");
  if (!asked.patterns.empty())
    throw error(errc::usage, fmt::format("extract: one archive at a time, and {} is another",
                                         printable(asked.patterns.front())));
  return run(asked, extract_help,
             [&](standard_output& to, messages& out) { extract(asked, to, out); });
}

}  // namespace lmzip::app
