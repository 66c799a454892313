#include "app/train/training.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "app/train/class_head.h"
#include "app/train/normalisation.h"
#include "app/train/recurrence.h"
#include "app/train/recurrent_body.h"
#include "app/train/tensor_file.h"
#include "lmzip/error.h"

using namespace lmzip::train;
using lmzip::errc;
using lmzip::error;
using torch::Tensor;

namespace {

/// Text that can be learned: a leaf tells the next one nearly always.
std::vector<std::uint16_t> easy_text(std::size_t size) {
  std::vector<std::uint16_t> leaves;
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < size; ++i) {
    state = state * 1664525 + 1013904223;
    const bool jumps = state >> 28 == 0;
    leaves.push_back(static_cast<std::uint16_t>(jumps || i == 0 ? state >> 20 & 15
                                                                : (leaves.back() * 5 + 3) % 16));
  }
  return leaves;
}

training_options small_options() {
  training_options o;
  o.shape = {.kind = "recurrent", .width = 16, .layers = 2, .mlp_width = 24};
  o.plan = {.streams = 4, .steps = 8, .chunk = 32, .seed = 3};
  o.schedule = {.rate = 1e-2, .steps = 60, .warm_up = 5, .decay = 0.5};
  o.classes = 16;
  o.steps_between_checkpoints = 20;
  o.steps_between_measurements = 20;
  return o;
}

struct temporary_path {
  std::string path;
  explicit temporary_path(const char* name)
      : path((std::filesystem::temp_directory_path() / name).string()) {
    std::filesystem::remove(path);
  }
  ~temporary_path() { std::filesystem::remove(path); }
};

bool near(const Tensor& a, const Tensor& b) { return torch::allclose(a, b, 1e-4, 1e-5); }

}  // namespace

TEST_CASE("the recurrence and its gradients are those of its definition") {
  torch::manual_seed(5);
  const Tensor state = torch::randn({3, 8});
  Tensor fast_gates = (torch::randn({12, 24}) * 4).set_requires_grad(true);
  Tensor slow_gates = fast_gates.detach().clone().set_requires_grad(true);
  const recurrence_result fast = recurrence(fast_gates, state);
  const recurrence_result slow = recurrence_by_steps(slow_gates, state);
  CHECK(near(fast.outputs, slow.outputs));
  CHECK(near(fast.state, slow.state));
  const Tensor above = torch::randn({12, 8});
  (fast.outputs * above).sum().backward();
  (slow.outputs * above).sum().backward();
  CHECK(near(fast_gates.grad(), slow_gates.grad()));
  CHECK_FALSE(near(fast_gates.grad(), torch::zeros_like(fast_gates.grad())));
}

TEST_CASE("the normalisation and its gradients are those of its definition") {
  torch::manual_seed(6);
  Tensor fast_rows = torch::randn({5, 200});
  fast_rows[2][7] = 90;  // beyond the bound once normalised
  fast_rows.set_requires_grad(true);
  Tensor slow_rows = fast_rows.detach().clone().set_requires_grad(true);
  const Tensor fast = normalise(fast_rows), slow = normalise_by_tensors(slow_rows);
  CHECK(near(fast, slow));
  CHECK(fast.max().item<double>() == activation_bound);
  const Tensor above = torch::randn({5, 200});
  (fast * above).sum().backward();
  (slow * above).sum().backward();
  CHECK(near(fast_rows.grad(), slow_rows.grad()));
}

TEST_CASE("the loss of the head is that of its distribution, and so are its gradients") {
  torch::manual_seed(7);
  const std::vector<std::uint16_t> first{0, 3, 4, 9};
  class_head head(8, lmzip::model::leaf_classes(first, 12));
  const Tensor targets = torch::tensor({0, 2, 3, 8, 9, 11, 4, 2, 10}, torch::kInt64);
  const Tensor rows = torch::randn({9, 8}).set_requires_grad(true);
  const Tensor chances = head.log_chances(rows.detach());
  CHECK(near(chances.exp().sum(1), torch::ones({9})));
  const Tensor loss = head.loss(rows, targets);
  CHECK(near(loss, -chances.gather(1, targets.unsqueeze(1)).mean()));
  loss.backward();
  // The gradient of each parameter, at one place, against a difference.
  const torch::NoGradGuard no_gradient;
  for (auto& entry : head.named_parameters()) {
    Tensor flat = entry.value().view({-1});
    const std::int64_t at = flat.numel() / 2;
    const float kept = flat[at].item<float>();
    const auto loss_with = [&](float change) {
      flat[at] = kept + change;
      return head.loss(rows, targets).item<double>();
    };
    const double difference = (loss_with(0.01F) - loss_with(-0.01F)) / 0.02;
    flat[at] = kept;
    CHECK(entry.value().grad().view({-1})[at].item<double>() ==
          doctest::Approx(difference).epsilon(0.02));
  }
}

TEST_CASE("a body works the same in one window and in two, and sees only what came before") {
  const body_shape recurrent{.kind = "recurrent", .width = 16, .layers = 2, .mlp_width = 8};
  const body_shape transformer{
      .kind = "transformer", .width = 16, .layers = 2, .mlp_width = 8, .heads = 2, .context = 4};
  for (const body_shape& shape : {recurrent, transformer}) {
    CAPTURE(shape.kind);
    torch::manual_seed(9);
    const auto net = make_body(shape);
    const torch::NoGradGuard no_gradient;
    const Tensor rows = torch::randn({6 * 3, 16});
    body_state whole = net->start(3), parts = net->start(3);
    const Tensor at_once = net->forward(rows, whole);
    const Tensor first = net->forward(rows.narrow(0, 0, 6), parts);
    const Tensor second = net->forward(rows.narrow(0, 6, 12), parts);
    CHECK(near(at_once, torch::cat({first, second})));
    for (std::size_t i = 0; i < whole.size(); ++i) CHECK(near(whole[i], parts[i]));

    // Another row of stream 1 at step 2 changes that stream from there on, and nothing else.
    Tensor other = rows.clone();
    other[2 * 3 + 1][0] += 2;
    body_state state = net->start(3);
    const Tensor changed = (net->forward(other, state) - at_once).abs().sum(1).view({6, 3}) > 1e-6;
    Tensor expected = torch::zeros({6, 3}, torch::kBool);
    for (std::int64_t step = 2; step < 6; ++step) expected[step][1] = true;
    CHECK(torch::equal(changed, expected));
  }
}

TEST_CASE("bodies that cannot be are refused") {
  const auto refused = [](const body_shape& shape) { CHECK_THROWS_AS(make_body(shape), error); };
  refused({.kind = "oracle"});
  refused({.width = 12});
  refused({.layers = 0});
  refused({.kind = "transformer", .heads = 4});
  refused({.kind = "transformer", .width = 24, .heads = 5, .context = 8});
}

TEST_CASE("training learns, and goes on after an interruption as if there had been none") {
  const auto text = easy_text(4000);
  const temporary_path whole("lmzip-train-whole"), parts("lmzip-train-parts");
  training_options options = small_options();
  std::vector<double> losses;
  lmzip::train::train(text, options, whole.path,
                      [&](const training_report& r) { losses.push_back(r.held_out_loss); });
  REQUIRE(losses.size() == 3);
  CHECK(losses.back() < 5);  // 14 bits without learning
  CHECK(losses.back() < losses.front());

  // Ends after 20 steps, as a kill after the first checkpoint would.
  struct stopped {};
  CHECK_THROWS_AS(lmzip::train::train(text, options, parts.path,
                                      [](const training_report&) { throw stopped{}; }),
                  stopped);
  CHECK(tensor_file::read(parts.path).note("step") == "20");
  lmzip::train::train(text, options, parts.path, [](const training_report&) {});
  const tensor_file a = tensor_file::read(whole.path), b = tensor_file::read(parts.path);
  REQUIRE(a.tensors.size() == b.tensors.size());
  for (const auto& [name, tensor] : a.tensors) {
    INFO(name);
    CHECK(torch::equal(tensor, b.find(name, tensor.sizes())));
  }
}

TEST_CASE("a checkpoint of other options is refused and left alone") {
  const auto text = easy_text(1000);
  const temporary_path run("lmzip-train-options");
  training_options options = small_options();
  options.schedule.steps = 1;
  lmzip::train::train(text, options, run.path, [](const training_report&) {});
  options.shape.width = 24;
  try {
    lmzip::train::train(text, options, run.path, [](const training_report&) {});
    FAIL("accepted");
  } catch (const error& caught) {
    CHECK(caught.code() == errc::usage);
    CHECK(std::string(caught.what()).find("other options") != std::string::npos);
  }
  CHECK(tensor_file::read(run.path).note("step") == "1");
}

TEST_CASE("windows cover every chunk once a pass and none that is held out") {
  std::vector<std::uint16_t> leaves(64 * 200);
  for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i] = static_cast<std::uint16_t>(i / 64);
  const window_plan plan{.streams = 3, .steps = 16, .chunk = 64, .seed = 1};
  const window_source source(leaves, plan);
  std::vector<int> seen(200);
  const std::uint64_t chunks = source.tokens() / 64;
  // Streams begin chunks at different steps, so that the first turn is not whole.
  for (std::uint64_t step = 4; step < 4 + chunks / 3 * 4; ++step) {
    const window w = source.at(step, 0, 3);
    for (std::int64_t b = 0; b < 3; ++b)
      if (w.starts[b].item<bool>())
        ++seen[static_cast<std::size_t>(w.targets[b].item<std::int64_t>())];
  }
  std::vector<int> held(200);
  for (const window& w : source.held_out(200))
    for (std::int64_t b = 0; b < w.starts.size(0); ++b)
      if (w.starts[b].item<bool>())
        ++held[static_cast<std::size_t>(w.targets[b].item<std::int64_t>())];
  int missing = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    CHECK(held[i] <= 1);
    CHECK((held[i] == 0 || seen[i] == 0));
    if (held[i] == 0 && seen[i] == 0) ++missing;
  }
  CHECK(missing <= 9);  // of the turns at the borders
}

TEST_CASE("a file of tensors that is damaged is refused") {
  const temporary_path file("lmzip-train-file");
  tensor_file written;
  written.tensors["a"] = torch::arange(6).to(torch::kFloat32).view({2, 3});
  written.tensors["b"] = torch::tensor({7, 8, 9}, torch::kInt64);
  written.notes["step"] = "12";
  written.write(file.path);
  const tensor_file read = tensor_file::read(file.path);
  CHECK(torch::equal(read.find("a", {2, 3}), written.tensors["a"]));
  CHECK(torch::equal(read.find("b", {3}), written.tensors["b"]));
  CHECK(read.note("step") == "12");
  CHECK_THROWS_AS(read.find("a", {3, 2}), error);
  CHECK_THROWS_AS(read.find("c", {1}), error);
  const auto size = std::filesystem::file_size(file.path);
  for (std::uintmax_t cut = 0; cut < size; ++cut) {
    std::filesystem::resize_file(file.path, cut);
    CHECK_THROWS_AS(tensor_file::read(file.path), error);
    written.write(file.path);
  }
}
