#include "app/train/model_export.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "app/train/checkpoint.h"
#include "app/train/model_import.h"
#include "app/train/training.h"
#include "codec/model_file.h"
#include "codec/shipped_models.h"
#include "core/hash.h"
#include "core/io/temporary_file.h"
#include "lmzip/error.h"
#include "model/neural/adaptive_head.h"
#include "model/neural/body.h"

using namespace lmzip::train;
using torch::Tensor;

namespace neural = lmzip::model::neural;

namespace {

/// Text of 16 leaves in which one tells the next one nearly always, and the one before helps.
std::vector<std::uint16_t> some_text(std::size_t size) {
  std::vector<std::uint16_t> leaves{1, 2};
  std::uint32_t state = 1;
  while (leaves.size() < size) {
    state = state * 1664525 + 1013904223;
    const bool jumps = state >> 28 == 0;
    const auto next = leaves.back() * 5 + leaves[leaves.size() - 2] / 8 + 3;
    leaves.push_back(static_cast<std::uint16_t>(jumps ? state >> 20 & 15 : next % 16));
  }
  return leaves;
}

/// The checkpoint of a short training.
class trained {
 public:
  trained(const body_shape& body, const std::vector<std::uint16_t>& text, bool tied = false)
      : path_((std::filesystem::temp_directory_path() / "lmzip-train-export").string()) {
    std::filesystem::remove(path_);
    training_options o;
    o.shape = {.body = body, .classes = 16, .tied = tied};
    o.plan = {.streams = 4, .steps = 8, .chunk = 32, .seed = 3};
    o.schedule = {.rate = 1e-2, .steps = 120, .warm_up = 5, .decay = 0.5};
    lmzip::train::train(text, o, path_, *join_ranks({}, torch::kCPU), [](const auto&) {});
  }
  ~trained() { std::filesystem::remove(path_); }

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// Losses in nats of a text's tokens, window by window.
std::vector<double> float_losses(language_model& model, const std::vector<std::uint16_t>& text,
                                 std::size_t window_size) {
  std::vector<double> losses;
  body_state state = model.start(1);
  for (std::size_t at = 0; at + window_size <= text.size(); at += window_size) {
    std::vector<std::int64_t> inputs, targets;
    for (std::size_t i = at; i < at + window_size; ++i) {
      inputs.push_back(i == 0 ? model.start_symbol() : std::int64_t{text[i - 1]});
      targets.push_back(text[i]);
    }
    const window w{torch::tensor(inputs, torch::kInt64), torch::tensor(targets, torch::kInt64),
                   torch::tensor({at == 0})};
    losses.push_back(model.loss(w, state).item<double>());
  }
  return losses;
}

/// The same by the integer network, whose head does not learn here.
std::vector<double> integer_losses(const neural::language_model& model,
                                   const std::vector<std::uint16_t>& text,
                                   std::size_t window_size) {
  neural::body_runner runner(model);
  neural::body_state state(model);
  neural::adaptive_head head(model);
  std::vector<std::int8_t> row(static_cast<std::size_t>(model.width()));
  std::vector<double> losses;
  const auto& classes = model.classes();
  const auto chance = [](const std::uint32_t* sums, std::uint32_t at, std::uint32_t count) {
    return static_cast<double>(sums[at + 1] - sums[at]) / static_cast<double>(sums[count]);
  };
  for (std::size_t at = 0; at + window_size <= text.size(); at += window_size) {
    double loss = 0;
    for (std::size_t i = at; i < at + window_size; ++i) {
      const neural::body_step step{&state, i == 0 ? model.start_symbol() : text[i - 1], row.data()};
      runner.run({&step, 1});
      head.see(row.data());
      const std::uint32_t k = classes.class_of(text[i]);
      const double of_class = chance(head.class_sums(), k, classes.size());
      const double of_leaf =
          chance(head.leaf_sums(k), text[i] - classes.first_leaf(k), classes.leaf_count(k));
      loss -= std::log(of_class * of_leaf);
    }
    losses.push_back(loss / static_cast<double>(window_size));
  }
  return losses;
}

/// Rows are the same; their scales have been rounded twice, and those of attention chosen anew.
void require_same(const neural::stored_matrix& a, const neural::stored_matrix& b) {
  CHECK(a.columns == b.columns);
  CHECK(a.shift == b.shift);
  CHECK(a.weights == b.weights);
  REQUIRE(a.factors.size() == b.factors.size());
  for (std::size_t i = 0; i < a.factors.size(); ++i)
    REQUIRE(std::abs(a.factors[i] - b.factors[i]) <= 2 + b.factors[i] / 500);
}

template <class Number>
void require_same(const std::vector<Number>& a, const std::vector<Number>& b) {
  REQUIRE(a.size() == b.size());
  int apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    apart = std::max(apart, static_cast<int>(std::abs(a[i] - b[i])));
  CHECK(apart <= 1);
}

void require_same(const neural::stored_model& a, const neural::stored_model& b) {
  CHECK(a.kind == b.kind);
  CHECK(std::tuple(a.width, a.heads, a.context) == std::tuple(b.width, b.heads, b.context));
  CHECK(a.class_starts == b.class_starts);
  require_same(a.embedding, b.embedding);
  require_same(a.class_rows, b.class_rows);
  require_same(a.class_biases, b.class_biases);
  require_same(a.leaf_rows, b.leaf_rows);
  require_same(a.leaf_biases, b.leaf_biases);
  REQUIRE(a.layers.size() == b.layers.size());
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    const neural::stored_layer &one = a.layers[i], &other = b.layers[i];
    require_same(one.shift_now, other.shift_now);
    require_same(one.shift_before, other.shift_before);
    require_same(one.bias, other.bias);
    for (const auto part : {&neural::stored_layer::in, &neural::stored_layer::query,
                            &neural::stored_layer::key_value, &neural::stored_layer::out,
                            &neural::stored_layer::mlp_in, &neural::stored_layer::mlp_out})
      require_same(one.*part, other.*part);
  }
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("an exported model expects what the one that was trained does") {
  const auto text = some_text(4000);
  const std::vector<std::uint16_t> read(text.end() - 400, text.end());
  const body_shape recurrent{.kind = "recurrent", .width = 16, .layers = 2, .mlp_width = 24};
  const body_shape transformer{
      .kind = "transformer", .width = 16, .layers = 2, .mlp_width = 24, .heads = 2, .context = 6};
  const body_shape long_context{
      .kind = "transformer", .width = 32, .layers = 1, .heads = 2, .context = 50};
  for (const body_shape& shape : {recurrent, transformer, long_context}) {
    CAPTURE(shape.kind);
    const trained run(shape, text);
    const neural::language_model integers(integer_model(tensor_file::read(run.path())));
    const auto floats = model_in(run.path());
    for (const std::size_t window_size : {1, 10}) {
      const auto wanted = float_losses(*floats, read, window_size);
      const auto found = integer_losses(integers, read, window_size);
      CHECK(mean(wanted) < 4);
      CHECK(std::abs(mean(found) - mean(wanted)) < 0.02);
      double apart = 0;
      for (std::size_t i = 0; i < wanted.size(); ++i) apart += std::abs(found[i] - wanted[i]);
      CHECK(apart / static_cast<double>(wanted.size()) < 0.1);
    }
  }
}

TEST_CASE("queries and keys of any scale are exported as well") {
  const auto text = some_text(2000);
  const trained run(
      {.kind = "transformer", .width = 16, .layers = 1, .mlp_width = 24, .heads = 2, .context = 9},
      text);
  tensor_file file = tensor_file::read(run.path());
  const neural::language_model one(integer_model(file));
  // The same in real numbers.
  file.tensors.at("model.body.layer0_query").mul_(64);
  Tensor key_value = file.tensors.at("model.body.layer0_key_value");
  key_value.narrow(0, 0, 16).div_(64);
  key_value.narrow(0, 16, 16).mul_(100);
  const neural::language_model other(integer_model(file));
  CHECK(std::abs(mean(integer_losses(one, text, 1)) - mean(integer_losses(other, text, 1))) < 1e-3);
}

TEST_CASE("shapes of a transformer that the engine lacks are not exported") {
  const auto refused = [](const body_shape& shape) {
    const trained run(shape, some_text(1000));
    try {
      integer_model(tensor_file::read(run.path()));
      return false;
    } catch (const lmzip::error& e) {
      return e.code() == lmzip::errc::usage;
    }
  };
  CHECK(refused({.kind = "transformer", .width = 16, .layers = 1, .heads = 4, .context = 4}));
  CHECK(refused({.kind = "transformer", .width = 16, .layers = 1, .heads = 2, .context = 1025}));
}

TEST_CASE("a model that is read back has the losses of the integers, and becomes the same again") {
  const auto text = some_text(4000);
  const std::vector<std::uint16_t> read(text.end() - 400, text.end());
  const body_shape plain{.kind = "recurrent", .width = 16, .layers = 1};
  const body_shape recurrent{.kind = "recurrent", .width = 16, .layers = 2, .mlp_width = 24};
  const body_shape transformer{
      .kind = "transformer", .width = 16, .layers = 2, .mlp_width = 24, .heads = 2, .context = 6};
  for (const body_shape& shape : {plain, recurrent, transformer})
    for (const bool tied : {false, true}) {
      CAPTURE(shape.kind);
      CAPTURE(tied);
      const trained run(shape, text, tied);
      const neural::stored_model integers = integer_model(tensor_file::read(run.path()));
      const tensor_file floats = float_weights(integers);
      require_same(integer_model(floats), integers);
      CHECK(shape_in(floats) == shape_in(tensor_file::read(run.path())));
      floats.write(run.path());
      const auto wanted = integer_losses(neural::language_model(integers), read, 1);
      const auto found = float_losses(*model_in(run.path()), read, 1);
      CHECK(std::abs(mean(found) - mean(wanted)) < 0.02);
    }
}

TEST_CASE("the weights of a model are found by its file and by its id, of a built-in one too") {
  const trained run({.kind = "recurrent", .width = 16, .layers = 1}, some_text(1000));
  const auto integers = integer_model(tensor_file::read(run.path()));
  const auto file = lmzip::codec::pack_model(integers, {});
  lmzip::io::temporary_file out(run.path());
  out.handle().write(file);
  out.commit(true, false);
  CHECK(names_model(run.path()));
  require_same(integer_model(read_weights(run.path())), integers);
  CHECK(model_in(run.path())->head().classes().size() == 16);
  for (const auto& shipped : lmzip::codec::all_shipped_models()) {
    const std::string id = lmzip::to_hex(shipped->id);
    const auto numbers =
        lmzip::codec::read_model_numbers(lmzip::codec::shipped_model_file(shipped->id));
    require_same(integer_model(read_weights(id.substr(0, 12))), numbers);
  }
  CHECK_FALSE(names_model("not there"));
  CHECK_FALSE(names_model("1234567"));
}
