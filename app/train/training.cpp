#include "app/train/training.h"

#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/train/language_model.h"
#include "app/train/tensor_file.h"
#include "core/io/file.h"
#include "core/io/signals.h"
#include "lmzip/error.h"
#include "vocab/shipped.h"

namespace lmzip::train {
namespace {

constexpr std::uint64_t steps_between_reports = 100;

model::leaf_classes classes_of(const std::vector<std::uint16_t>& leaves, std::uint32_t classes) {
  const vocab::vocabulary& words = vocab::shipped_vocabulary();
  std::vector<std::uint8_t> depths;
  for (std::size_t leaf = 0; leaf < words.size(); ++leaf)
    depths.push_back(static_cast<std::uint8_t>(words.depth(leaf)));
  std::vector<std::uint64_t> counts(words.size());
  for (const std::uint16_t leaf : leaves) ++counts[leaf];
  return {model::token_tree(depths), counts, classes};
}

/// What must be the same for a run to go on.
std::string describe(const training_options& o) {
  return nlohmann::json{
      {"body", o.shape.kind},     {"width", o.shape.width},    {"layers", o.shape.layers},
      {"mlp", o.shape.mlp_width}, {"heads", o.shape.heads},    {"context", o.shape.context},
      {"classes", o.classes},     {"tied", o.tied},            {"streams", o.plan.streams},
      {"steps", o.plan.steps},    {"chunk", o.plan.chunk},     {"seed", o.plan.seed}}
      .dump();
}

class training_run {
 public:
  training_run(const std::vector<std::uint16_t>& leaves, const training_options& options,
               const std::string& checkpoint)
      : options_(options),
        path_(checkpoint),
        source_(leaves, options.plan),
        model_(seeded(options), classes_of(leaves, options.classes), options.tied),
        optimiser_(model_, options.optimiser),
        state_(model_.start(options.plan.streams)),
        held_out_(source_.held_out(options.held_out_chunks)) {
    if (io::status_of(path_, true)) load();
  }

  void run(const std::function<void(const training_report&)>& on_report) {
    double sum = 0;
    std::uint64_t summed = 0;
    while (step_ < options_.schedule.steps) {
      io::throw_if_interrupted();
      const double rate = options_.schedule.at(step_);
      sum += train_step(rate);
      ++summed;
      ++step_;
      const bool ends = step_ == options_.schedule.steps;
      const bool measures = ends || step_ % options_.steps_between_measurements == 0;
      if (ends || step_ % options_.steps_between_checkpoints == 0) save();
      if (!measures && step_ % steps_between_reports != 0) continue;
      const training_report report{step_,
                                   step_ * tokens_a_step(),
                                   rate,
                                   sum / static_cast<double>(summed),
                                   measures ? held_out_loss() : 0,
                                   static_cast<double>(std::clock()) / CLOCKS_PER_SEC};
      sum = 0;
      summed = 0;
      on_report(report);
    }
  }

 private:
  static const body_shape& seeded(const training_options& options) {
    torch::manual_seed(options.plan.seed);
    return options.shape;
  }

  std::uint64_t tokens_a_step() const {
    return static_cast<std::uint64_t>(options_.plan.streams * options_.plan.steps);
  }

  double train_step(double rate) {
    const torch::Tensor loss = model_.loss(source_.at(step_, 0, options_.plan.streams), state_);
    const double value = loss.item<double>() / std::log(2.0);
    if (!std::isfinite(value))
      throw error(errc::internal, "the loss is no number any more: a lower rate may help");
    loss.backward();
    optimiser_.step(step_, rate);
    return value;
  }

  double held_out_loss() {
    const torch::NoGradGuard no_gradient;
    double sum = 0, weight = 0;
    body_state state;
    for (const window& w : held_out_) {
      if (w.starts[0].item<bool>()) state = model_.start(w.starts.size(0));
      const auto tokens = static_cast<double>(w.targets.size(0));
      sum += model_.loss(w, state).item<double>() * tokens;
      weight += tokens;
    }
    return sum / weight / std::log(2.0);
  }

  void save() const {
    tensor_file file;
    for (const auto& entry : model_.named_parameters())
      file.tensors["model." + entry.key()] = entry.value().detach().cpu();
    std::vector<std::int64_t> first;
    for (std::uint32_t k = 0; k < model_.head().classes().size(); ++k)
      first.push_back(model_.head().classes().first_leaf(k));
    file.tensors["classes"] = torch::tensor(first);
    for (std::size_t i = 0; i < state_.size(); ++i)
      file.tensors["state." + std::to_string(i)] = state_[i].cpu();
    optimiser_.save(file);
    file.notes = {{"options", describe(options_)}, {"step", std::to_string(step_)}};
    file.write(path_);
  }

  void load() {
    const tensor_file file = tensor_file::read(path_);
    if (file.note("options") != describe(options_))
      throw error(errc::usage, path_ + " is a run with other options: " + file.note("options"));
    const torch::NoGradGuard no_gradient;
    for (auto& entry : model_.named_parameters())
      entry.value().copy_(file.find("model." + entry.key(), entry.value().sizes()));
    for (std::size_t i = 0; i < state_.size(); ++i)
      state_[i].copy_(file.find("state." + std::to_string(i), state_[i].sizes()));
    optimiser_.load(file);
    step_ = std::stoull(file.note("step"));
  }

  training_options options_;
  std::string path_;
  window_source source_;
  language_model model_;
  adam_w optimiser_;
  body_state state_;
  std::vector<window> held_out_;
  std::uint64_t step_ = 0;
};

}  // namespace

void train(const std::vector<std::uint16_t>& leaves, const training_options& options,
           const std::string& checkpoint,
           const std::function<void(const training_report&)>& on_report) {
  training_run(leaves, options, checkpoint).run(on_report);
}

}  // namespace lmzip::train
