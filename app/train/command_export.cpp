#include "app/train/command_export.h"

#include <fmt/format.h>

#include <cxxopts.hpp>
#include <vector>

#include "app/lmzip/messages.h"
#include "app/lmzip/names.h"
#include "app/train/model_export.h"
#include "codec/model_file.h"
#include "core/hash.h"
#include "core/io/file.h"
#include "core/io/temporary_file.h"
#include "lmzip/error.h"

namespace lmzip::train {
namespace {

cxxopts::Options options_of_export() {
  cxxopts::Options options("lmzip-train export", "");
  options.custom_help("[OPTION...]").positional_help("CHECKPOINT");
  options.add_options()("o,output", "model file to write", cxxopts::value<std::string>())(
      "description", "a line about the model, kept in the file",
      cxxopts::value<std::string>()->default_value(""))("f,force", "replace the file if it exists")(
      "h,help", "show this help");
  return options;
}

}  // namespace

void run_export(std::span<const std::string> arguments) {
  std::vector<const char*> words = {"lmzip-train export"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  std::string from, to, description;
  bool replaces = false;
  try {
    const auto parsed = options_of_export().parse(static_cast<int>(words.size()), words.data());
    if (parsed.count("help") != 0) {
      const std::string help = options_of_export().help();
      io::file::standard_output().write(std::as_bytes(std::span(help)));
      return;
    }
    if (parsed.unmatched().size() != 1)
      throw error(errc::usage, "export: one checkpoint is needed");
    if (parsed.count("output") == 0) throw error(errc::usage, "export: no model given (-o FILE)");
    from = parsed.unmatched().front();
    to = parsed["output"].as<std::string>();
    description = parsed["description"].as<std::string>();
    replaces = parsed.count("force") != 0;
  } catch (const cxxopts::exceptions::exception& failure) {
    throw error(errc::usage, fmt::format("export: {}", app::printable(failure.what())));
  }
  const auto file = codec::pack_model(integer_model(tensor_file::read(from)),
                                      {.description = description, .vocabulary = {}, .check = {}});
  io::temporary_file out(to);
  out.handle().set_mode(io::new_file_mode());
  out.handle().write(file);
  out.commit(replaces, true);
  app::write_to_standard_error(fmt::format("{}: {} bytes, model {}\n", app::printable(to),
                                           file.size(), to_hex(codec::read_model(file)->id)));
}

}  // namespace lmzip::train
