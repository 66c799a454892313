#include "app/train/command_eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cxxopts.hpp>
#include <optional>
#include <vector>

#include "app/lmzip/model_search.h"
#include "app/lmzip/names.h"
#include "app/lmzip/sizes.h"
#include "app/train/checkpoint.h"
#include "app/train/corpus.h"
#include "app/train/evaluation_report.h"
#include "app/train/machine.h"
#include "app/train/model_export.h"
#include "app/train/model_import.h"
#include "app/train/output_file.h"
#include "codec/model_file.h"
#include "codec/shipped_models.h"
#include "core/io/file.h"
#include "core/io/signals.h"
#include "lmzip/compress.h"
#include "lmzip/error.h"

namespace lmzip::train {
namespace {

constexpr int least_level_with_model = 8;

struct eval_request {
  evaluation_options options;
  std::vector<std::string> texts;
  std::string model, checkpoint, device;
  std::string json, svg;  ///< files; none if empty
  table_style style = table_style::plain;
  bool help = false;
};

cxxopts::Options options_of_eval() {
  cxxopts::Options options("lmzip-train eval", "");
  options.custom_help("[OPTION...] TEXT...");
  auto add = options.add_options();
  const auto text = [&add](const char* name, const char* help) {
    add(name, help, cxxopts::value<std::string>()->default_value(""));
  };
  text("model", "model file, or id of one: the integer network that is measured");
  text("checkpoint", "checkpoint: the float network, and the integer one made of it; or a model");
  add("level", "of the archives that are measured too", cxxopts::value<int>()->default_value("8"));
  text("block-size", "bytes after which networks and archives begin anew");
  text("limit", "bytes of each text that are measured");
  text("lines", "lines A-B of each text, counted from 1");
  add("smu", "code by windows of 64 tokens in 128 streams too");
  add("markdown", "print Markdown");
  text("json", "file to write the results to");
  text("svg", "picture to draw");
  text("device", "of the float network: cpu or cuda; without it cuda where there is one");
  add("h,help", "show this help");
  return options;
}

/// A size that was given, or 0.
std::uint64_t size_from(const cxxopts::ParseResult& words, const char* name, std::uint64_t least,
                        std::uint64_t most) {
  const auto given = words[name].as<std::string>();
  if (words.count(name) == 0) return 0;
  const auto size = app::parse_size(given);
  if (!size || *size < least || *size > most)
    throw error(errc::usage, fmt::format("--{}: must be a size from {} to {}", name,
                                         app::human_size(least), app::human_size(most)));
  return *size;
}

void take_lines(const std::string& given, evaluation_options& o) {
  const std::size_t dash = given.find('-');
  const auto first = app::parse_number(given.substr(0, dash));
  const auto last = dash == given.npos ? std::nullopt : app::parse_number(given.substr(dash + 1));
  if (!first || !last || *first < 1 || *first > *last)
    throw error(errc::usage, "--lines: must be two numbers of lines, as in 1-1000");
  o.first_line = *first;
  o.last_line = *last;
}

eval_request parse_eval(std::span<const std::string> arguments) {
  std::vector<const char*> words = {"lmzip-train eval"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  eval_request asked;
  try {
    const auto parsed = options_of_eval().parse(static_cast<int>(words.size()), words.data());
    asked.help = parsed.count("help") != 0;
    if (asked.help) return asked;
    asked.texts = parsed.unmatched();
    asked.model = parsed["model"].as<std::string>();
    asked.checkpoint = parsed["checkpoint"].as<std::string>();
    asked.device = parsed["device"].as<std::string>();
    asked.json = parsed["json"].as<std::string>();
    asked.svg = parsed["svg"].as<std::string>();
    if (parsed.count("markdown") != 0) asked.style = table_style::markdown;
    evaluation_options& o = asked.options;
    o.level = parsed["level"].as<int>();
    if (o.level < min_level || o.level > max_level)
      throw error(errc::usage, "--level: must be from 1 to 9");
    o.block_bytes = size_from(parsed, "block-size", min_block_bytes, max_block_bytes);
    o.limit = size_from(parsed, "limit", 1, max_block_bytes << 10);
    if (parsed.count("lines") != 0) take_lines(parsed["lines"].as<std::string>(), o);
    o.smu = parsed.count("smu") != 0;
  } catch (const cxxopts::exceptions::exception& failure) {
    throw error(errc::usage, fmt::format("eval: {}", app::printable(failure.what())));
  }
  if (asked.texts.empty()) throw error(errc::usage, "eval: no text given");
  return asked;
}

/// The integer model of a checkpoint; the built-in one if that was made of it. nullptr if the body
/// has no integer form.
model_handle rounded_model(const tensor_file& checkpoint) {
  if (!has_integer_form(shape_in(checkpoint).body)) return nullptr;
  const auto stored = integer_model(checkpoint);
  const auto check = codec::model_check_hash(model::neural::language_model(stored));
  std::string description;  // part of the file, so that another one has another id
  for (const model_handle& shipped : codec::all_shipped_models())
    if (shipped->facts.check == check) description = shipped->facts.description;
  return codec::read_model(
      codec::pack_model(stored, {.description = description, .vocabulary = {}, .check = {}}));
}

measured_models models_for(const eval_request& asked, app::messages& out) {
  measured_models models;
  if (!asked.model.empty()) models.integer = app::named_model(asked.model);
  if (!asked.checkpoint.empty()) {
    models.floating = model_in(asked.checkpoint);
    models.device = device_for(asked.device, 0);
    models.floating->to(models.device);
    if (models.device.is_cpu()) warn_of_slow_products(out);
    if (models.integer == nullptr)
      models.integer = names_model(asked.checkpoint)
                           ? app::named_model(asked.checkpoint)
                           : rounded_model(tensor_file::read(asked.checkpoint));
  } else if (models.integer == nullptr) {
    models.integer =
        codec::shipped_model_of_level(std::max(asked.options.level, least_level_with_model));
  }
  return models;
}

/// A line for each stage of the work on a text, and now and then one of a long stage.
class progress_printer {
 public:
  explicit progress_printer(std::string text) : text_(std::move(text)) {}

  void operator()(const std::string& stage, double done) {
    const auto now = clock::now();
    if (done == 0) {
      begin_ = last_ = now;
      return print(stage);
    }
    if (now - last_ < std::chrono::seconds(10)) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    print(fmt::format("{}  {:.0f} %  {:.1f} min left", stage, 100 * done,
                      seconds * (1 - done) / done / 60));
  }

 private:
  using clock = std::chrono::steady_clock;

  void print(const std::string& what) const {
    app::write_to_standard_error(text_ + ": " + what + "\n");
  }

  std::string text_;
  clock::time_point begin_, last_;
};

text_result evaluate_file(const std::string& path, const evaluation_report& all) {
  progress_printer print(app::printable(path));
  try {
    const std::vector<std::byte> text = text_of(path);
    return evaluate(path, text, all.models, all.options,
                    [&](const std::string& stage, double done) { print(stage, done); });
  } catch (const io::file_error&) {
    throw;  // names the file itself
  } catch (const error& failure) {
    throw error(failure.code(), app::printable(path) + ": " + failure.what());
  }
}

}  // namespace

void run_eval(std::span<const std::string> arguments, app::messages& out) {
  const eval_request asked = parse_eval(arguments);
  const auto print = [](const std::string& text) {
    io::file::standard_output().write(std::as_bytes(std::span(text)));
  };
  if (asked.help) return print(options_of_eval().help());
  keep_freed_memory();
  const io::signal_watch watch;
  std::optional<output_file> json, picture;
  if (!asked.json.empty()) json.emplace(asked.json);
  if (!asked.svg.empty()) picture.emplace(asked.svg);
  evaluation_report all{asked.options, models_for(asked, out), asked.checkpoint, {}, {}, 0};
  all.total.name = "total";
  for (const std::string& path : files_of(asked.texts)) {
    all.texts.push_back(evaluate_file(path, all));
    all.total += all.texts.back();
  }
  if (all.texts.empty()) throw error(errc::usage, "eval: there are no files in it");
  all.peak_memory_bytes = peak_memory();
  print(tables_of(all, asked.style));
  if (json) json->finish(json_of(all));
  if (picture) picture->finish(picture_of(all));
}

}  // namespace lmzip::train
