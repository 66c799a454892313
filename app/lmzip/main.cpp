#include <fmt/format.h>

#include <exception>
#include <string>
#include <vector>

#include "app/lmzip/args.h"
#include "app/lmzip/bases.h"
#include "app/lmzip/environment.h"
#include "app/lmzip/messages.h"
#include "app/lmzip/model_search.h"
#include "app/lmzip/names.h"
#include "app/lmzip/operations.h"
#include "app/lmzip/verb_model.h"
#include "app/lmzip/verb_tensors.h"
#include "app/lmzip/verb_tune.h"
#include "app/lmzip/verb_vocab.h"
#include "app/lmzip/verbs.h"
#include "app/lmzip/version.h"
#include "core/io/file.h"
#include "core/io/signals.h"

namespace lmzip::app {
namespace {

void do_operation(session& on) {
  switch (on.run.what) {
    case operation::compress:
      return compress_files(on);
    case operation::decompress:
      return decompress_files(on);
    case operation::test:
      return test_files(on);
    case operation::list:
      return list_files(on);
    case operation::info:
      return describe_files(on);
    case operation::repair:
      return repair_file(on);
    case operation::rebase:
      return rebase_file(on);
  }
}

/// Bytes on standard output, not text, unless it lists or describes.
bool writes_data_to_stdout(const settings& run) {
  if (run.what != operation::compress && run.what != operation::decompress) return false;
  return run.output.to_stdout || (!run.output.path && run.files.front() == "-");
}

int work(settings run) {
  messages out(run.message.verbosity);
  apply_environment(run, out);
  standard_output to_stdout;
  progress_display progress(run.message.progress, run.message.verbosity,
                            writes_data_to_stdout(run) && to_stdout.is_terminal());
  out.before_each_line([&] { progress.erase(); });
  session on{run, out, progress, to_stdout, {}, {}, {}, {}};
  try {
    const io::signal_watch watch;
    if (!run.coding.model.empty()) on.model = named_model(run.coding.model);
    if (run.what != operation::list && run.what != operation::info)
      on.base = open_bases(run.coding, on.model);
    do_operation(on);
    to_stdout.finish();
  } catch (...) {
    out.report(std::current_exception(), "");
  }
  progress.erase();
  if (const int signal = io::pending_signal()) io::die_by_signal(signal);
  return out.status().value(run.message.no_warn);
}

int print(const std::string& text) {
  standard_output to_stdout;
  to_stdout.write(text);
  to_stdout.finish();
  return 0;
}

/// Takes a command off the arguments and sets what it asks for.
verb take_verb(std::vector<std::string>& arguments, settings& run) {
  const verb which = arguments.empty() ? verb::none : verb_of(arguments.front());
  if (which == verb::none) return which;
  refuse_ambiguous_verb(arguments.front());
  if (which == verb::reserved) {
    throw error(errc::usage, arguments.front() + " is reserved for a later version (write ./" +
                                 arguments.front() + " for a file of that name)");
  }
  if (which == verb::train) run_training_program(arguments);
  arguments.erase(arguments.begin());
  if (which == verb::info) run.what = operation::info;
  if (which == verb::verify) run.what = operation::test;
  if (which == verb::repair) run.what = operation::repair;
  if (which == verb::rebase) run.what = operation::rebase;
  return which;
}

int run_program(std::vector<std::string> arguments) {
  const std::string program = base_name(arguments.front());
  arguments.erase(arguments.begin());
  settings start = settings_for_program_name(program);
  const verb which = start.what == operation::compress ? take_verb(arguments, start) : verb::none;
  if (which == verb::vocab) return run_vocab(arguments);
  if (which == verb::tune) return run_tune(arguments);
  if (which == verb::model) return run_model(arguments);
  if (which == verb::list) return run_list(arguments);
  if (which == verb::extract) return run_extract(arguments);
  const operation asked = start.what;
  const settings run = parse_arguments(arguments, std::move(start));
  if (run.help) return print(help_text());
  if (run.version) return print(version_text(run.message.verbosity > 0));
  if (which != verb::none && run.what != asked) {
    throw error(errc::usage, "-d, -t and -l do not go with a command");
  }
  check_settings(run);
  return work(run);
}

}  // namespace
}  // namespace lmzip::app

int main(int argc, char** argv) {
  using namespace lmzip;
  io::reserve_standard_descriptors();
  app::messages out(0);
  try {
    std::vector<std::string> arguments(argv, argv + argc);
    if (arguments.empty()) arguments.emplace_back("lmzip");
    return app::run_program(std::move(arguments));
  } catch (const error& caught) {
    if (caught.code() == errc::usage) {
      out.error("", fmt::format("{} (try lmzip --help)", caught.what()), app::exit_code::failure);
    } else {
      out.report(std::current_exception(), "");
    }
  } catch (...) {
    out.report(std::current_exception(), "");
  }
  return out.status().value(false);
}
