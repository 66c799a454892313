#include "app/train/arguments.h"

#include <fmt/format.h>

#include <cmath>
#include <cxxopts.hpp>

#include "app/lmzip/names.h"
#include "app/train/model_import.h"
#include "lmzip/error.h"

namespace lmzip::train {
namespace {

enum class command { train, distill };

cxxopts::Options options_of(command which) {
  const bool distills = which == command::distill;
  cxxopts::Options options(distills ? "lmzip-train distill" : "lmzip-train train", "");
  options.custom_help(distills ? "[OPTION...] -o CHECKPOINT TEACHER TEXT..."
                               : "[OPTION...] -o CHECKPOINT TEXT...");
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
  if (distills)
    number("share", "0.5", "weight of the teacher's distributions, beside that of the text");
  else
    text("fine-tune", "checkpoint or model that a new run begins with, and may grow");
  number("tokens", "40e6", "tokens to train on");
  text("body", "recurrent or transformer", "recurrent");
  count("width", "192", "numbers a token");
  count("layers", "1", "layers of the body");
  count("mlp", "0", "width of an MLP in each layer; 0: none, for a transformer 4 times its width");
  count("heads", "0", "of attention, for a transformer");
  count("context", "0", "tokens that attention reaches back, for a transformer");
  if (!distills) count("classes", "128", "classes of leaves");
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
  text("curves", "picture of the losses to draw, an SVG file");
  text("device", "cpu or cuda; without it cuda where there is one");
  text("precision", "of products: f32 or bf16", "f32");
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

/// A part of the shape: as given, or as the checkpoint to begin with has it.
std::int64_t part_of_shape(const cxxopts::ParseResult& words, const char* name, std::int64_t least,
                           const std::int64_t* preset) {
  return preset != nullptr && words.count(name) == 0 ? *preset : at_least(words, name, least);
}

model_shape shape_from(const cxxopts::ParseResult& words, const model_shape* preset) {
  const body_shape* const body = preset != nullptr ? &preset->body : nullptr;
  const auto part = [&](const char* name, std::int64_t least, std::int64_t body_shape::*member) {
    return part_of_shape(words, name, least, body != nullptr ? &(body->*member) : nullptr);
  };
  model_shape shape;
  const bool says_kind = body == nullptr || words.count("body") != 0;
  shape.body = {.kind = says_kind ? words["body"].as<std::string>() : body->kind,
                .width = part("width", 8, &body_shape::width),
                .layers = part("layers", 1, &body_shape::layers),
                .mlp_width = part("mlp", 0, &body_shape::mlp_width),
                .heads = part("heads", 0, &body_shape::heads),
                .context = part("context", 0, &body_shape::context)};
  shape.tied = words.count("tied") != 0 || (preset != nullptr && preset->tied);
  return shape;
}

training_options options_from(const cxxopts::ParseResult& words, std::uint64_t tokens) {
  training_options o;
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
  o.products = precision_of(words["precision"].as<std::string>());
  o.steps_between_checkpoints = static_cast<std::uint64_t>(at_least(words, "save-every", 1));
  o.steps_between_measurements = static_cast<std::uint64_t>(at_least(words, "measure-every", 1));
  return o;
}

void take_train(const cxxopts::ParseResult& words, train_request& asked) {
  training_options& o = asked.options;
  o.fine_tune = words["fine-tune"].as<std::string>();
  if (o.fine_tune.empty()) {
    o.shape = shape_from(words, nullptr);
    o.shape.classes = static_cast<std::uint32_t>(at_least(words, "classes", 1));
    return;
  }
  const model_shape preset = shape_in(read_weights(o.fine_tune));
  o.shape = shape_from(words, &preset);
  const auto classes = static_cast<std::int64_t>(preset.classes);
  o.shape.classes = static_cast<std::uint32_t>(part_of_shape(words, "classes", 1, &classes));
}

void take_distill(const cxxopts::ParseResult& words, train_request& asked) {
  training_options& o = asked.options;
  if (asked.texts.empty()) throw error(errc::usage, "distill: no teacher given");
  o.teacher = asked.texts.front();
  asked.texts.erase(asked.texts.begin());
  o.teacher_share = words["share"].as<double>();
  if (!(o.teacher_share >= 0 && o.teacher_share <= 1))
    throw error(errc::usage, "--share: must be from 0 to 1");
  o.shape = shape_from(words, nullptr);
  o.shape.classes = shape_in(read_weights(o.teacher)).classes;
}

train_request parse(command which, std::span<const std::string> arguments) {
  const char* const name = which == command::distill ? "distill" : "train";
  std::vector<const char*> words = {name};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  train_request asked;
  try {
    const auto parsed = options_of(which).parse(static_cast<int>(words.size()), words.data());
    asked.help = parsed.count("help") != 0;
    if (asked.help) return asked;
    asked.tokens = static_cast<std::uint64_t>(positive(parsed, "tokens"));
    asked.options = options_from(parsed, asked.tokens);
    asked.texts = parsed.unmatched();
    asked.checkpoint = parsed["output"].as<std::string>();
    asked.log = parsed["log"].as<std::string>();
    asked.curves = parsed["curves"].as<std::string>();
    asked.device = parsed["device"].as<std::string>();
    which == command::distill ? take_distill(parsed, asked) : take_train(parsed, asked);
  } catch (const cxxopts::exceptions::exception& failure) {
    throw error(errc::usage, fmt::format("{}: {}", name, app::printable(failure.what())));
  }
  if (asked.texts.empty()) throw error(errc::usage, fmt::format("{}: no text given", name));
  if (asked.checkpoint.empty())
    throw error(errc::usage, fmt::format("{}: no checkpoint given (-o FILE)", name));
  return asked;
}

}  // namespace

train_request parse_train(std::span<const std::string> arguments) {
  return parse(command::train, arguments);
}

train_request parse_distill(std::span<const std::string> arguments) {
  return parse(command::distill, arguments);
}

std::string train_help() { return options_of(command::train).help(); }
std::string distill_help() { return options_of(command::distill).help(); }

}  // namespace lmzip::train
