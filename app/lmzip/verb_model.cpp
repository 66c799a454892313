#include "app/lmzip/verb_model.h"

#include <fmt/format.h>

#include <cxxopts.hpp>
#include <filesystem>
#include <string_view>
#include <vector>

#include "app/lmzip/json.h"
#include "app/lmzip/messages.h"
#include "app/lmzip/model_search.h"
#include "app/lmzip/names.h"
#include "app/lmzip/output.h"
#include "app/lmzip/verbs.h"
#include "core/hash.h"
#include "core/io/signals.h"
#include "core/io/temporary_file.h"

namespace lmzip::app {
namespace {

constexpr std::string_view model_help = R"(Usage: lmzip model list [--json]
       lmzip model show MODEL... [--json]
       lmzip model check [MODEL...]
       lmzip model add FILE... [-f]
       lmzip model export CHECKPOINT -o FILE

MODEL is a model file, or the id of a known model, of which eight digits are enough. Models are built
in, or files with the suffix .lmzm in the folders of LMZIP_MODEL_PATH (separated by colons), else in
~/.local/share/lmzip/models, /usr/local/share/lmzip/models and /usr/share/lmzip/models.

list      lists the known models: id, size, description, where it is
show      describes models
check     proves that this machine computes with models what it must; without MODEL with all
add       checks a model file and copies it to ~/.local/share/lmzip/models, where archives that
          need it find it; -f replaces a file that is there
export    makes the model file of a checkpoint that lmzip train has written
)";

struct request {
  std::string command;
  std::vector<std::string> names;
  bool json = false;
  bool force = false;
  bool help = false;
};

request parse_request(std::span<const std::string> arguments) {
  cxxopts::Options options("lmzip model");
  options.add_options()("json", "")("f,force", "")("h,help", "");
  std::vector<const char*> words = {"lmzip model"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  request asked;
  try {
    const auto parsed = options.parse(static_cast<int>(words.size()), words.data());
    asked.json = parsed.count("json") != 0;
    asked.force = parsed.count("force") != 0;
    asked.help = parsed.count("help") != 0;
    asked.names = parsed.unmatched();
  } catch (const cxxopts::exceptions::exception& failure) {
    throw error(errc::usage, fmt::format("model: {}", printable(failure.what())));
  }
  if (asked.help) return asked;
  if (asked.names.empty())
    throw error(errc::usage, "model: no command given (list, show, check, add or export)");
  asked.command = asked.names.front();
  asked.names.erase(asked.names.begin());
  const bool known = asked.command == "list" || asked.command == "show" ||
                     asked.command == "check" || asked.command == "add";
  if (!known)
    throw error(errc::usage,
                fmt::format("model: {} is no command (list, show, check, add or export)",
                            printable(asked.command)));
  const bool needs_names = asked.command == "show" || asked.command == "add";
  if (needs_names && asked.names.empty())
    throw error(errc::usage, fmt::format("model {}: no model given", asked.command));
  if (asked.command == "list" && !asked.names.empty())
    throw error(errc::usage, "model list: takes no names");
  return asked;
}

/// A known model and where it is.
struct entry {
  std::string place;
  model_handle model;
};

std::vector<entry> known_models(messages& out) {
  std::vector<entry> all;
  for (const model_handle& shipped : shipped_models()) all.push_back({"built in", shipped});
  for (const found_model& found : list_model_files()) {
    try {
      all.push_back({found.path, open_model(found.path)});
    } catch (...) {
      out.report(std::current_exception(), "");
    }
  }
  return all;
}

json as_json(const entry& e) {
  const model_info info = describe_model(e.model);
  json object;
  object["id"] = to_hex(info.id);
  add_name(object, "description", info.description);
  object["body"] = info.body;
  object["bytes"] = info.file_bytes;
  object["parameters"] = info.parameters;
  object["multiplications_per_token"] = info.work;
  add_name(object, "place", e.place);
  return object;
}

void list(const request& asked, standard_output& to, messages& out) {
  for (const entry& e : known_models(out)) {
    const model_info info = describe_model(e.model);
    to.write(asked.json
                 ? to_line(as_json(e))
                 : fmt::format("{}  {:>9}  {}  ({})\n", to_hex(info.id).substr(0, 16),
                               info.file_bytes, printable(info.description), printable(e.place)));
  }
}

void show(const request& asked, standard_output& to) {
  for (const std::string& name : asked.names) {
    const entry e{name, named_model(name)};
    const model_info info = describe_model(e.model);
    if (asked.json) {
      to.write(to_line(as_json(e)));
      continue;
    }
    to.write(
        fmt::format("id               {}\n"
                    "description      {}\n"
                    "body             {}\n"
                    "file             {} bytes\n"
                    "weights          {}\n"
                    "multiplications  {} a token, without the head\n"
                    "built in         {}\n",
                    to_hex(info.id), printable(info.description), info.body, info.file_bytes,
                    info.parameters, info.work, info.shipped ? "yes" : "no"));
  }
}

void check(const request& asked, standard_output& to, messages& out) {
  std::vector<entry> models;
  for (const std::string& name : asked.names) models.push_back({name, named_model(name)});
  if (asked.names.empty()) models = known_models(out);
  for (const entry& e : models) {
    const std::string id = to_hex(describe_model(e.model).id).substr(0, 16);
    if (check_model(e.model))
      to.write(fmt::format("{}  {}: computes as it must\n", id, printable(e.place)));
    else
      out.error(e.place, "computes otherwise on this machine: it must not be used here",
                exit_code::something_missing);
  }
}

void add(const request& asked, standard_output& to) {
  const std::string folder = own_model_folder();
  if (folder.empty()) throw error(errc::usage, "model add: there is no home directory (HOME)");
  for (const std::string& name : asked.names) {
    const model_handle model = open_model(name);
    if (!check_model(model))
      throw error(errc::unsupported,
                  fmt::format("{}: computes otherwise on this machine", printable(name)));
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    const std::string path =
        folder + "/" + to_hex(describe_model(model).id).substr(0, 16) + model_suffix;
    io::temporary_file file(path);
    file.handle().set_mode(io::new_file_mode());
    file.handle().write(read_model_file(name));
    file.commit(asked.force, true);
    to.write(fmt::format("{}\n", printable(path)));
  }
}

}  // namespace

int run_model(std::span<const std::string> arguments) {
  if (!arguments.empty() && arguments.front() == "export")
    run_training_program({arguments.begin(), arguments.end()});
  const request asked = parse_request(arguments);
  messages out(0);
  try {
    const io::signal_watch watch;
    standard_output to;
    if (asked.help) to.write(model_help);
    if (asked.command == "list") list(asked, to, out);
    if (asked.command == "show") show(asked, to);
    if (asked.command == "check") check(asked, to, out);
    if (asked.command == "add") add(asked, to);
    to.finish();
  } catch (...) {
    out.report(std::current_exception(), "");
  }
  if (const int signal = io::pending_signal()) io::die_by_signal(signal);
  return out.status().value(false);
}

}  // namespace lmzip::app
