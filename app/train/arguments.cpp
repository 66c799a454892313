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
  const auto text = [](const char* preset) {
    return cxxopts::value<std::string>()->default_value(preset);
  };
  const auto count = [](const char* preset) {
    return cxxopts::value<std::int64_t>()->default_value(preset);
  };
  const auto number = [](const char* preset) {
    return cxxopts::value<double>()->default_value(preset);
  };
  options.custom_help("[OPTION...]").positional_help("TEXT...");
  options.add_options()("o,output",
                        "checkpoint of the run; it goes on from there if the file exists",
                        text(""))("tokens", "tokens to train on, e.g. 40e6", number("40e6"))(
      "body", "recurrent", text("recurrent"))("width", "numbers a token", count("192"))(
      "layers", "layers of the body", count("1"))(
      "mlp", "width of an MLP in each layer, 0 for none", count("0"))(
      "classes", "classes of leaves", count("128"))(
      "streams", "places of the text at once", count("64"))("steps", "tokens of a stream in a step",
                                                            count("64"))(
      "chunk", "tokens that a stream reads at a place", count("2048"))(
      "rate", "highest rate", number("4e-3"))("warm-up", "steps in which the rate rises",
                                              count("100"))(
      "decay", "part of the run in which it falls", number("0.6"))(
      "weight-decay", "of matrices", number("0.01"))("clip", "bound of the norm of the gradients",
                                                     number("1"))(
      "seed", "of weights and order of the text", count("1"))(
      "save-every", "steps between checkpoints", count("1000"))(
      "measure-every", "steps between measurements of held-out text", count("1000"))(
      "log", "file of JSON lines to add to", text(""))("h,help", "show this help");
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
             .mlp_width = at_least(words, "mlp", 0)};
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
