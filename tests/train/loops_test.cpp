#include <doctest/doctest.h>
#include <torch/torch.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "app/train/class_head.h"
#include "app/train/cross_entropy.h"
#include "app/train/language_model.h"
#include "app/train/normalisation.h"
#include "app/train/optimiser.h"
#include "app/train/own_loops.h"
#include "app/train/recurrence.h"
#include "app/train/token_shift.h"

using namespace lmzip::train;
using torch::Tensor;

// Each loop against its definition by operations of libtorch, which other devices use.
namespace {

bool near(const Tensor& a, const Tensor& b) { return torch::allclose(a, b, 1e-4, 1e-5); }

/// Two equal tensors that are learned, for the two ways.
struct twins {
  Tensor fast, slow;
  explicit twins(const Tensor& value)
      : fast(value.clone().set_requires_grad(true)), slow(value.clone().set_requires_grad(true)) {}
  bool equal_gradients() const {
    return near(fast.grad(), slow.grad()) && !near(fast.grad(), torch::zeros_like(fast));
  }
};

void backward(const Tensor& fast, const Tensor& slow) {
  const Tensor above = torch::randn_like(fast);
  (fast * above).sum().backward();
  (slow * above).sum().backward();
}

}  // namespace

TEST_CASE("the recurrence and its gradients are those of its definition") {
  torch::manual_seed(5);
  const Tensor state = torch::randn({3, 8});
  twins gates(torch::randn({12, 24}) * 4), bias(torch::randn({24}));
  const recurrence_result fast = recurrence(gates.fast, bias.fast, state);
  const recurrence_result slow = recurrence_by_steps(gates.slow, bias.slow, state);
  CHECK(near(fast.outputs, slow.outputs));
  CHECK(near(fast.state, slow.state));
  backward(fast.outputs, slow.outputs);
  CHECK(gates.equal_gradients());
  CHECK(bias.equal_gradients());
}

TEST_CASE("gates far out of range give numbers") {
  torch::manual_seed(5);
  const Tensor state = torch::randn({3, 32});
  twins gates(torch::randn({12, 96}) * 300), bias(torch::zeros({96}));
  const recurrence_result fast = recurrence(gates.fast, bias.fast, state);
  const recurrence_result slow = recurrence_by_steps(gates.slow, bias.slow, state);
  CHECK(near(fast.outputs, slow.outputs));
  backward(fast.outputs, slow.outputs);
  CHECK(gates.fast.grad().isfinite().all().item<bool>());
}

TEST_CASE("the token shift and its gradients are those of its definition") {
  torch::manual_seed(4);
  Tensor values = torch::randn({12, 200});
  values[5][7] = 90;  // beyond the bound once normalised
  const Tensor before = torch::randn({3, 200});
  twins rows(values), a(torch::randn({200}) * 4), b(torch::randn({200}) * 4);
  const shift_result fast = shift_tokens(rows.fast, before, a.fast, b.fast);
  const shift_result slow = shift_tokens_by_tensors(rows.slow, before, a.slow, b.slow);
  CHECK(near(fast.rows, slow.rows));
  CHECK(near(fast.last, slow.last));
  CHECK(fast.rows.max().item<double>() == activation_bound);
  backward(fast.rows, slow.rows);
  CHECK(rows.equal_gradients());
  CHECK(a.equal_gradients());
  CHECK(b.equal_gradients());
}

TEST_CASE("the normalisations and their gradients are those of their definitions") {
  torch::manual_seed(6);
  Tensor values = torch::randn({5, 200});
  values[2][7] = 90;
  twins plain(values), squared(values);
  const Tensor fast = normalise(plain.fast), slow = normalise_by_tensors(plain.slow);
  CHECK(near(fast, slow));
  CHECK(fast.max().item<double>() == activation_bound);
  backward(fast, slow);
  CHECK(plain.equal_gradients());
  const Tensor fast_squares = normalise_squared_relu(squared.fast);
  const Tensor slow_squares = normalise_squared_relu_by_tensors(squared.slow);
  CHECK(near(fast_squares, slow_squares));
  backward(fast_squares, slow_squares);
  CHECK(squared.equal_gradients());
}

TEST_CASE("activations are rounded as integers are while that is asked for, and gradients pass") {
  torch::manual_seed(7);
  const Tensor values = torch::randn({6, 40}), before = torch::zeros({2, 40});
  twins rows(values), a(torch::randn({40})), b(torch::randn({40}));
  const auto exact = [](const Tensor& t, double steps) {
    return ((t * steps).round() - t * steps).abs().max().item<double>() == 0;
  };
  const Tensor plain = normalise(rows.fast);
  CHECK_FALSE(exact(plain, 16));
  {
    const rounded_activations rounded;
    const Tensor fast = normalise(rows.fast), slow = normalise_by_tensors(rows.slow);
    CHECK(exact(fast, 16));
    CHECK(exact(slow, 16));
    CHECK((fast - plain).abs().max().item<double>() <= 1.0 / 32);
    CHECK(exact(normalise_squared_relu(rows.fast), 16));
    backward(fast, slow);
    CHECK(rows.equal_gradients());
    const shift_result shifted = shift_tokens(rows.fast, before, a.fast, b.fast);
    CHECK(exact(shifted.last, 16));
    CHECK(exact(shift_tokens_by_tensors(rows.slow, before, a.slow, b.slow).last, 16));
  }
  CHECK(torch::equal(normalise(rows.fast), plain));
}

TEST_CASE("cross entropy and its gradient are those of softmax") {
  torch::manual_seed(8);
  const Tensor logits = torch::randn({7, 45}) * 9, biases = torch::randn({45});
  const Tensor targets = torch::tensor({0, 44, 3, 3, 21, 17, 9}, torch::kInt64);
  const Tensor numbers = targets + 100;
  Tensor learned = (logits + biases).set_requires_grad(true);
  const Tensor expected = torch::nn::functional::cross_entropy(
      learned, targets, torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum));
  (expected * 0.25).backward();
  Tensor work = logits.clone();
  const auto rows = [&] {
    return logit_rows{work.data_ptr<float>(),
                      biases.data_ptr<float>(),
                      numbers.data_ptr<std::int64_t>(),
                      100,
                      7,
                      45};
  };
  CHECK(cross_entropy(rows()) == doctest::Approx(expected.item<double>()));
  work = logits.clone();
  CHECK(cross_entropy_and_gradient(rows(), 0.25F, 0.25F) ==
        doctest::Approx(expected.item<double>()));
  CHECK(near(work, learned.grad()));
}

TEST_CASE("the loss of the head is that of its distribution, and so are its gradients") {
  torch::manual_seed(7);
  const std::vector<std::uint16_t> first{0, 3, 4, 9};
  class_head head(8, lmzip::model::leaf_classes(first, 12));
  const Tensor targets = torch::tensor({0, 2, 3, 8, 9, 11, 4, 2, 10}, torch::kInt64);
  const Tensor rows = torch::randn({9, 8});
  const Tensor chances = head.log_chances(rows);
  CHECK(near(chances.exp().sum(1), torch::ones({9})));
  const auto loss = head.loss(rows, targets).item<double>();
  CHECK(loss == doctest::Approx(-chances.gather(1, targets.unsqueeze(1)).mean().item<double>()));
  for (Tensor& parameter : head.parameters())
    parameter.mutable_grad() = torch::zeros_like(parameter);
  const auto lesson = head.learn(rows, targets);
  CHECK(lesson.loss.item<double>() == doctest::Approx(loss));
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
  for (std::int64_t n = 0; n < 9; ++n) {
    Tensor more = rows.clone(), less = rows.clone();
    more[n][n % 8] += 0.01;
    less[n][n % 8] -= 0.01;
    const double difference =
        (head.loss(more, targets).item<double>() - head.loss(less, targets).item<double>()) / 0.02;
    CHECK(lesson.rows_gradient[n][n % 8].item<double>() ==
          doctest::Approx(difference).epsilon(0.02));
  }
}

TEST_CASE("the gradient of the embedding is that of its rows, shared with the head or not") {
  for (const bool tied : {false, true}) {
    CAPTURE(tied);
    torch::manual_seed(11);
    const std::vector<std::uint16_t> first{0, 5};
    language_model model({.kind = "recurrent", .width = 8}, {first, 12}, tied);
    adam_w optimiser(model, {});
    window w{torch::tensor({12, 3, 3, 7}, torch::kInt64),
             torch::tensor({3, 7, 2, 11}, torch::kInt64), torch::tensor({true, false})};
    body_state state = model.start(2);
    const auto loss = model.learn(w, state).item<double>();
    for (auto& entry : model.named_parameters()) {
      CAPTURE(entry.key());
      const torch::NoGradGuard no_gradient;
      Tensor flat = entry.value().view({-1});
      for (const std::int64_t at : {flat.numel() / 3, 3 * flat.numel() / 12 + 1}) {
        const float kept = flat[at].item<float>();
        const auto loss_with = [&](float change) {
          flat[at] = kept + change;
          body_state fresh = model.start(2);
          return model.loss(w, fresh).item<double>();
        };
        const double difference = (loss_with(0.01F) - loss_with(-0.01F)) / 0.02;
        flat[at] = kept;
        CHECK(std::abs(entry.value().grad().view({-1})[at].item<double>() - difference) < 2e-3);
      }
    }
    body_state fresh = model.start(2);
    CHECK(model.loss(w, fresh).item<double>() == doctest::Approx(loss));
  }
}

TEST_CASE("gradients whose squares are next to nothing give numbers") {
  torch::nn::Linear model(40, 20);
  adam_w optimiser(*model, {});
  for (std::uint64_t step = 0; step < 3; ++step) {
    const torch::NoGradGuard no_gradient;
    for (Tensor& value : model->parameters())
      value.grad().view({-1}).copy_(
          torch::pow(10.0, torch::linspace(-45, -10, value.numel(), torch::kFloat64)));
    optimiser.step(step, 0.01);
    for (const Tensor& value : model->parameters()) CHECK(value.isfinite().all().item<bool>());
  }
}

TEST_CASE("a step of the optimiser is that of AdamW") {
  torch::manual_seed(12);
  torch::nn::Linear mine(30, 20), theirs(30, 20);
  for (std::size_t i = 0; i < 2; ++i) {
    const torch::NoGradGuard no_gradient;
    theirs->parameters()[i].copy_(mine->parameters()[i]);
  }
  adam_w optimiser(*mine, {.weight_decay = 0.1, .clip = 1});
  std::vector<torch::optim::OptimizerParamGroup> groups;
  const auto options = [](double decay) {
    return std::make_unique<torch::optim::AdamWOptions>(
        torch::optim::AdamWOptions(0.01).betas({0.9, 0.98}).eps(1e-8).weight_decay(decay));
  };
  groups.emplace_back(std::vector<Tensor>{theirs->weight}, options(0.1));
  groups.emplace_back(std::vector<Tensor>{theirs->bias}, options(0));
  torch::optim::AdamW reference(groups);
  for (std::uint64_t step = 0; step < 5; ++step) {
    const Tensor rows = torch::randn({6, 30});
    mine->forward(rows).square().sum().backward();
    reference.zero_grad();
    theirs->forward(rows).square().sum().backward();
    torch::nn::utils::clip_grad_norm_(theirs->parameters(), 1);
    optimiser.step(step, 0.01);
    reference.step();
    CHECK(near(mine->weight, theirs->weight));
    CHECK(near(mine->bias, theirs->bias));
    CHECK(optimiser.exchanged().abs().max().item<double>() == 0);
  }
}

namespace {

/// The weights after some steps, all in one row.
Tensor trained(precision products) {
  torch::manual_seed(13);
  const std::vector<std::uint16_t> first{0, 5};
  language_model model({.kind = "recurrent", .width = 16, .layers = 2, .mlp_width = 24},
                       {first, 12}, true, products);
  adam_w optimiser(model, {});
  body_state state = model.start(3);
  for (std::uint64_t step = 0; step < 4; ++step) {
    const window w{torch::randint(13, {24}, torch::kInt64), torch::randint(12, {24}, torch::kInt64),
                   torch::tensor({step == 0, step == 2, false})};
    model.learn(w, state);
    optimiser.step(step, 1e-3);
  }
  const window w{torch::randint(13, {24}, torch::kInt64), torch::randint(12, {24}, torch::kInt64),
                 torch::tensor({false, true, false})};
  std::vector<Tensor> all{model.loss(w, state).to(torch::kFloat32).view({1})};
  for (const Tensor& value : model.parameters()) all.push_back(value.detach().view({-1}));
  return torch::cat(all);
}

}  // namespace

TEST_CASE("training by operations of libtorch alone, as on other devices, gives the same weights") {
  const Tensor expected = trained(precision::f32);
  const without_own_loops by_tensors;
  CHECK(torch::allclose(trained(precision::f32), expected, 1e-3, 1e-4));
}

TEST_CASE("products of half the precision give nearly the same weights, with loops and without") {
  const Tensor expected = trained(precision::f32), half = trained(precision::bf16);
  CHECK_FALSE(torch::equal(half, expected));
  CHECK(torch::allclose(half, expected, 0.05, 0.02));
  const without_own_loops by_tensors;
  CHECK(torch::allclose(trained(precision::bf16), expected, 0.05, 0.02));
}

TEST_CASE("a student's gradients are those of both losses together") {
  torch::manual_seed(14);
  const std::vector<std::uint16_t> first{0, 3, 4, 9};
  class_head teacher(8, lmzip::model::leaf_classes(first, 12));
  class_head head(6, lmzip::model::leaf_classes(first, 12));
  const Tensor targets = torch::tensor({0, 2, 3, 8, 9, 11, 4, 2, 10}, torch::kInt64);
  const Tensor rows = torch::randn({9, 6}), taught = torch::randn({9, 8});
  const Tensor expected = teacher.log_chances(taught).exp();
  const double share = 0.75;
  // The divergence over classes, and over the leaves of each target's class.
  const auto loss_at = [&](const Tensor& at) {
    const Tensor chances = head.log_chances(at);
    double sum = 0;
    for (std::int64_t n = 0; n < 9; ++n) {
      const auto target = targets[n].item<std::int64_t>();
      sum -= (1 - share) * chances[n][target].item<double>();
      const std::uint32_t own = head.classes().class_of(static_cast<std::uint32_t>(target));
      for (std::uint32_t k = 0; k < 4; ++k) {
        const std::int64_t begin = first[k], count = head.classes().leaf_count(k);
        const Tensor all = chances[n].narrow(0, begin, count);
        const Tensor aims = expected[n].narrow(0, begin, count);
        const auto of_class = torch::logsumexp(all, 0).item<double>();
        const auto mass = aims.sum().item<double>();
        sum -= share * mass * of_class;
        if (k == own) sum -= share * (aims / mass * (all - of_class)).sum().item<double>();
      }
    }
    return sum / 9;
  };
  for (Tensor& parameter : head.parameters())
    parameter.mutable_grad() = torch::zeros_like(parameter);
  const class_head::teacher from{teacher, taught, share};
  const auto lesson = head.learn(rows, targets, &from);
  CHECK(lesson.loss.item<double>() == doctest::Approx(head.loss(rows, targets).item<double>()));
  for (std::int64_t n = 0; n < 9; ++n) {
    Tensor more = rows.clone(), less = rows.clone();
    more[n][n % 6] += 0.01;
    less[n][n % 6] -= 0.01;
    CHECK(std::abs(lesson.rows_gradient[n][n % 6].item<double>() -
                   (loss_at(more) - loss_at(less)) / 0.02) < 2e-4);
  }
}
