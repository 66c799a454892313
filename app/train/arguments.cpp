#include "app/train/arguments.h"

#include <fmt/format.h>

#include <cmath>
#include <cxxopts.hpp>

#include "app/lmzip/names.h"
#include "lmzip/error.h"

namespace lmzip::train {
namespace {

cxxopts::Options options_of_train() {
  cxxopts::Options options("lmzip-train train", "");
  options.custom_help("[OPTION...]").positional_help("TEXT...");
  auto add = options.add_options();
  const auto text = [&add](const char* name, const char* help, const char* preset = "") {
    add(name, help, cxxopts::value<std::string>()->default_value(preset));
  };
  const auto count = [&add](const char* name, const char* preset, const char* help) {
    add(name, help, cxxopts::value<std::int64_t>()->default_value(preset));
  };
  const auto number = [&add](const char* name, const char* preset, const char* help) {
    add(name, help, cxxopts::value<double>()->default_value(preset));
  };
  text("o,output", "checkpoint of the run; it goes on from there if the file exists");
  number("tokens", "40e6", "tokens to train on");
  text("body", "recurrent or transformer", "recurrent");
  count("width", "192", "numbers a token");
  count("layers", "1", "layers of the body");
  count("mlp", "0", "width of an MLP in each layer; 0: none, for a transformer 4 times its width");
  count("heads", "0", "of attention, for a transformer");
  count("context", "0", "tokens that attention reaches back, for a transformer");
  count("classes", "128", "classes of leaves");
  add("tied", "one matrix for the tokens that come in and those that are guessed");
  count("streams", "64", "places of the text at once");
  count("steps", "64", "tokens of a stream in a step");
  count("chunk", "2048", "tokens that a stream reads at a place");
  number("rate", "4e-3", "highest rate");
  count("warm-up", "100", "steps in which the rate rises");
  number("decay", "0.6", "part of the run in which it falls");
  number("weight-decay", "0.01", "of matrices");
  number("clip", "1", "bound of the norm of the gradients");
  count("seed", "1", "of weights and order of the text");
  count("save-every", "1000", "steps between checkpoints");
  count("measure-every", "1000", "steps between measurements of held-out text");
  text("log", "file of JSON lines to add to");
  add("h,help", "show this help");
  return options;
}

std::int64_t at_least(const cxxopts::ParseResult& words, const char* name, std::int64_t least) {
  const auto value = words[name].as<std::int64_t>();
  if (value < least)
    throw error(errc::usage, fmt::format("--{}: must be at least {}", name, least));
  return value;
}

double positive(const cxxopts::ParseResult& words, const char* name) {
  const auto value = words[name].as<double>();
  if (!(value > 0) || !std::isfinite(value))
    throw error(errc::usage, fmt::format("--{}: must be more than 0", name));
  return value;
}

training_options options_from(const cxxopts::ParseResult& words, std::uint64_t tokens) {
  training_options o;
  o.shape = {.kind = words["body"].as<std::string>(),
             .width = at_least(words, "width", 8),
             .layers = at_least(words, "layers", 1),
             .mlp_width = at_least(words, "mlp", 0),
             .heads = at_least(words, "heads", 0),
             .context = at_least(words, "context", 0)};
  o.plan = {.streams = at_least(words, "streams", 1),
            .steps = at_least(words, "steps", 1),
            .chunk = at_least(words, "chunk", 1),
            .seed = static_cast<std::uint64_t>(at_least(words, "seed", 0))};
  if (o.plan.chunk % o.plan.steps != 0)
    throw error(errc::usage, "--chunk: must be a multiple of --steps");
  const auto a_step = static_cast<std::uint64_t>(o.plan.streams * o.plan.steps);
  o.schedule = {.rate = positive(words, "rate"),
                .steps = (tokens + a_step - 1) / a_step,
                .warm_up = static_cast<std::uint64_t>(at_least(words, "warm-up", 0)),
                .decay = words["decay"].as<double>()};
  if (!(o.schedule.decay >= 0 && o.schedule.decay <= 1))
    throw error(errc::usage, "--decay: must be from 0 to 1");
  o.optimiser.weight_decay = words["weight-decay"].as<double>();
  o.optimiser.clip = positive(words, "clip");
  o.classes = static_cast<std::uint32_t>(at_least(words, "classes", 1));
  o.tied = words.count("tied") != 0;
  o.steps_between_checkpoints = static_cast<std::uint64_t>(at_least(words, "save-every", 1));
  o.steps_between_measurements = static_cast<std::uint64_t>(at_least(words, "measure-every", 1));
  return o;
}

}  // namespace

train_request parse_train(std::span<const std::string> arguments) {
  std::vector<const char*> words = {"lmzip-train train"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  train_request asked;
  try {
    const auto parsed = options_of_train().parse(static_cast<int>(words.size()), words.data());
    asked.help = parsed.count("help") != 0;
    if (asked.help) return asked;
    asked.tokens = static_cast<std::uint64_t>(positive(parsed, "tokens"));
    asked.options = options_from(parsed, asked.tokens);
    asked.texts = parsed.unmatched();
    asked.checkpoint = parsed["output"].as<std::string>();
    asked.log = parsed["log"].as<std::string>();
  } catch (const cxxopts::exceptions::exception& failure) {
    throw error(errc::usage, fmt::format("train: {}", app::printable(failure.what())));
  }
  if (asked.texts.empty()) throw error(errc::usage, "train: no text given");
  if (asked.checkpoint.empty()) throw error(errc::usage, "train: no checkpoint given (-o FILE)");
  return asked;
}

std::string train_help() { return options_of_train().help(); }

}  // namespace lmzip::train
