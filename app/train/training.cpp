#include "app/train/training.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "app/train/model_import.h"
#include "app/train/normalisation.h"
#include "core/hash.h"
#include "core/io/file.h"
#include "core/io/signals.h"
#include "lmzip/error.h"
#include "vocab/shipped.h"

namespace lmzip::train {
namespace {

constexpr std::uint64_t steps_between_reports = 100;

using seconds = std::chrono::duration<double>;

model::leaf_classes count_classes(const std::vector<std::uint16_t>& leaves, std::uint32_t classes) {
  const vocab::vocabulary& words = vocab::shipped_vocabulary();
  std::vector<std::uint8_t> depths;
  for (std::size_t leaf = 0; leaf < words.size(); ++leaf)
    depths.push_back(static_cast<std::uint8_t>(words.depth(leaf)));
  std::vector<std::uint64_t> counts(words.size());
  for (const std::uint16_t leaf : leaves) ++counts[leaf];
  return {model::token_tree(depths), counts, classes};
}

/// A number that tells one model from another.
std::uint64_t hash_of(const language_model& model) {
  std::vector<std::uint64_t> parts;
  for (const torch::Tensor& value : model.parameters())
    parts.push_back(xxh3_64({static_cast<const std::byte*>(value.data_ptr()), value.nbytes()}));
  return xxh3_64(std::as_bytes(std::span(parts)));
}

/// Runs on one thread of one rank.
class training_run {
 public:
  training_run(const std::vector<std::uint16_t>& leaves, const training_options& options,
               const std::string& checkpoint, rank_group& ranks)
      : options_(options),
        path_(checkpoint),
        ranks_(ranks),
        streams_(options.plan.streams / ranks.me().count),
        source_(leaves, options.plan),
        held_out_(source_.held_out(options.held_out_chunks)) {
    if (options.plan.streams % ranks.me().count != 0)
      throw error(errc::usage, "the streams cannot be divided equally among the ranks");
    if (!options.teacher.empty()) teacher_ = model_in(options.teacher, options.products);
    description_ = description();
    require_equal(leaves);
    const std::optional<tensor_file> before = kept_state();
    torch::manual_seed(options.plan.seed);
    model_ = std::make_shared<language_model>(options.shape.body, shared_classes(before, leaves),
                                              options.shape.tied, options.products);
    if (before && shape_in(*before) == options_.shape)
      load_weights(*before, *model_);
    else if (before)
      load_grown_weights(*before, *model_);
    model_->to(options.device);
    if (teacher_) teacher_->to(options.device);
    optimiser_.emplace(*model_, options.optimiser);
    state_ = start(streams_);
    if (before && before->notes.contains("step")) load_progress(*before);
    share_progress();
  }

  training_cost run(const std::function<void(const training_report&)>& on_report) {
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
                                   step_ * tokens_a_step(options_.plan.streams),
                                   rate,
                                   sum / static_cast<double>(summed),
                                   measures ? held_out_loss() : 0,
                                   static_cast<double>(std::clock()) / CLOCKS_PER_SEC};
      sum = 0;
      summed = 0;
      if (ranks_.first()) on_report(report);
    }
    return cost_;
  }

 private:
  /// What must be the same for a run to go on.
  std::string description() const {
    const body_shape& body = options_.shape.body;
    const window_plan& plan = options_.plan;
    nlohmann::json all = {{"body", body.kind},
                          {"width", body.width},
                          {"layers", body.layers},
                          {"mlp", body.mlp_width},
                          {"heads", body.heads},
                          {"context", body.context},
                          {"classes", options_.shape.classes},
                          {"tied", options_.shape.tied},
                          {"streams", plan.streams},
                          {"steps", plan.steps},
                          {"chunk", plan.chunk},
                          {"seed", plan.seed}};
    if (teacher_) {
      all["share"] = options_.teacher_share;
      all["teacher"] = hash_of(*teacher_);
    }
    return all.dump();
  }

  std::uint64_t tokens_a_step(std::int64_t streams) const {
    return static_cast<std::uint64_t>(streams * options_.plan.steps);
  }

  /// Of all ranks, before they wait for each other in operations that do not fit.
  void require_equal(const std::vector<std::uint16_t>& leaves) {
    const training_options& o = options_;
    const std::string options = fmt::format(
        "{} {} {} {} {} {} {} {} {} {}", description_, o.schedule.steps, o.schedule.rate,
        o.schedule.warm_up, o.schedule.decay, o.optimiser.weight_decay, o.optimiser.clip,
        o.steps_between_checkpoints, o.steps_between_measurements, static_cast<int>(o.products));
    const auto mine =
        torch::tensor({static_cast<std::int64_t>(xxh3_64(std::as_bytes(std::span(leaves)))),
                       static_cast<std::int64_t>(xxh3_64(std::as_bytes(std::span(options))))});
    torch::Tensor theirs = mine.to(options_.device).clone();
    ranks_.broadcast(theirs);
    if (!torch::equal(mine, theirs.cpu()))
      throw error(errc::usage, "the ranks have other texts or options than the first");
  }

  /// The checkpoint that the run goes on from or begins with. Only the first rank has it.
  std::optional<tensor_file> kept_state() const {
    if (!ranks_.first()) return std::nullopt;
    if (io::status_of(path_, true)) {
      tensor_file file = tensor_file::read(path_);
      if (file.note("options") != description_)
        throw error(errc::usage, path_ + " is a run with other options: " + file.note("options"));
      return file;
    }
    if (options_.fine_tune.empty()) return std::nullopt;
    tensor_file file = read_weights(options_.fine_tune);
    if (!can_grow(shape_in(file), options_.shape))
      throw error(errc::usage,
                  options_.fine_tune + " is a model of another shape: " + file.note("options"));
    file.notes.erase("step");
    return file;
  }

  /// Those of the checkpoint, so that its weights keep their meaning with other text.
  model::leaf_classes shared_classes(const std::optional<tensor_file>& before,
                                     const std::vector<std::uint16_t>& leaves) {
    const model::leaf_classes own = teacher_ ? teacher_->head().classes()
                                    : before ? classes_in(*before)
                                             : count_classes(leaves, options_.shape.classes);
    std::vector<std::int64_t> first(model::leaf_classes::max_classes, -1);
    for (std::uint32_t k = 0; k < own.size(); ++k) first[k] = own.first_leaf(k);
    torch::Tensor shared = torch::tensor(first).to(options_.device);
    ranks_.broadcast(shared);
    return classes_from(shared.cpu());
  }

  /// State of streams that have seen nothing, and behind it that of the teacher.
  body_state start(std::int64_t streams) const {
    body_state state = model_->start(streams);
    if (teacher_)
      for (const torch::Tensor& part : teacher_->start(streams)) state.push_back(part);
    return state;
  }

  torch::Tensor learn(const window& w) {
    const rounded_activations rounded;
    if (!teacher_) return model_->learn(w, state_);
    const auto parts = static_cast<std::ptrdiff_t>(model_->start(streams_).size());
    body_state own(state_.begin(), state_.begin() + parts);
    body_state taught(state_.begin() + parts, state_.end());
    const language_model::teacher from{*teacher_, taught, options_.teacher_share};
    torch::Tensor loss = model_->learn(w, own, &from);
    state_ = own;
    state_.insert(state_.end(), taught.begin(), taught.end());
    return loss;
  }

  window here(window w) const {
    if (options_.device.is_cpu()) return w;
    return {w.inputs.to(options_.device), w.targets.to(options_.device),
            w.starts.to(options_.device)};
  }

  double train_step(double rate) {
    const auto begin = std::chrono::steady_clock::now();
    const window w = here(source_.at(step_, ranks_.me().number * streams_, streams_));
    torch::Tensor loss = learn(w);
    if (ranks_.me().count > 1) loss = average_gradients(loss);
    const double value = loss.item<double>() / std::log(2.0);
    if (!std::isfinite(value))
      throw error(errc::internal, "the loss is no number any more: a lower rate may help");
    optimiser_->step(step_, rate);
    cost_.tokens += tokens_a_step(streams_);
    cost_.seconds += seconds(std::chrono::steady_clock::now() - begin).count();
    return value;
  }

  /// Over all ranks, with the loss, which it returns.
  torch::Tensor average_gradients(const torch::Tensor& loss) {
    const double before = ranks_.seconds();
    torch::Tensor& shared = optimiser_->exchanged();
    shared[-1].copy_(loss);
    ranks_.sum(shared);
    shared.div_(ranks_.me().count);
    cost_.exchange_seconds += ranks_.seconds() - before;
    return shared[-1];
  }

  /// Each rank takes some of the batches of chunks.
  double held_out_loss() {
    double sum = 0, weight = 0;
    body_state state;
    std::int64_t batch = -1;
    for (const window& w : held_out_) {
      if (w.starts[0].item<bool>()) {
        state = model_->start(w.starts.size(0));
        ++batch;
      }
      if (batch % ranks_.me().count != ranks_.me().number) continue;
      const auto tokens = static_cast<double>(w.targets.size(0));
      sum += model_->loss(here(w), state).item<double>() * tokens;
      weight += tokens;
    }
    torch::Tensor sums = torch::tensor({sum, weight}, torch::kFloat64).to(options_.device);
    ranks_.sum(sums);
    return sums[0].item<double>() / sums[1].item<double>() / std::log(2.0);
  }

  /// A part of the state for the streams of all ranks.
  torch::Tensor gathered(const torch::Tensor& part) const {
    if (ranks_.me().count == 1) return part;
    torch::Tensor all =
        torch::zeros({part.size(0) * ranks_.me().count, part.size(1)}, part.options());
    all.narrow(0, ranks_.me().number * part.size(0), part.size(0)).copy_(part);
    ranks_.sum(all);
    return all;
  }

  /// All ranks take part, and the first writes: for a run of any number of ranks to go on from.
  void save() {
    tensor_file file;
    for (std::size_t i = 0; i < state_.size(); ++i)
      file.tensors["state." + std::to_string(i)] = gathered(state_[i]).cpu();
    // On machines of different kinds the weights of ranks drift apart by rounding.
    optimiser_->each_tensor([this](torch::Tensor& tensor) { ranks_.broadcast(tensor); });
    if (!ranks_.first()) return;
    save_weights(*model_, file);
    optimiser_->save(file);
    file.notes = {{"options", description_}, {"step", std::to_string(step_)}};
    file.write(path_);
  }

  void load_progress(const tensor_file& file) {
    // Takes the whole state, of which share_progress() leaves each rank its part.
    state_ = start(options_.plan.streams);
    for (std::size_t i = 0; i < state_.size(); ++i)
      state_[i].copy_(file.find("state." + std::to_string(i), state_[i].sizes()));
    optimiser_->load(file);
    step_ = std::stoull(file.note("step"));
  }

  /// From the first rank to all.
  void share_progress() {
    if (ranks_.me().count == 1) return;
    optimiser_->each_tensor([this](torch::Tensor& tensor) { ranks_.broadcast(tensor); });
    torch::Tensor step = torch::tensor({static_cast<std::int64_t>(step_)}).to(options_.device);
    ranks_.broadcast(step);
    step_ = static_cast<std::uint64_t>(step.item<std::int64_t>());
    body_state all = start(options_.plan.streams);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (ranks_.first() && state_[i].sizes() == all[i].sizes()) all[i].copy_(state_[i]);
      ranks_.broadcast(all[i]);
      const std::int64_t rows = all[i].size(0) / ranks_.me().count;
      state_[i] = all[i].narrow(0, ranks_.me().number * rows, rows).clone();
    }
  }

  training_options options_;
  std::string path_;
  std::string description_;
  rank_group& ranks_;
  std::int64_t streams_;  ///< of this rank
  window_source source_;
  std::vector<window> held_out_;
  std::shared_ptr<language_model> teacher_, model_;
  std::optional<adam_w> optimiser_;
  body_state state_;
  std::uint64_t step_ = 0;
  training_cost cost_;
};

}  // namespace

training_cost train(const std::vector<std::uint16_t>& leaves, const training_options& options,
                    const std::string& checkpoint, rank_group& ranks,
                    const std::function<void(const training_report&)>& on_report) {
  return training_run(leaves, options, checkpoint, ranks).run(on_report);
}

}  // namespace lmzip::train
