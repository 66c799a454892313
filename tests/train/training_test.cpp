#include "app/train/training.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "app/train/body.h"
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
  o.shape = {.body = {.kind = "recurrent", .width = 16, .layers = 2, .mlp_width = 24},
             .classes = 16};
  o.plan = {.streams = 4, .steps = 8, .chunk = 32, .seed = 3};
  o.schedule = {.rate = 1e-2, .steps = 60, .warm_up = 5, .decay = 0.5};
  o.steps_between_checkpoints = 20;
  o.steps_between_measurements = 20;
  return o;
}

using reports = std::function<void(const training_report&)>;

void train_alone(
    const std::vector<std::uint16_t>& text, const training_options& options,
    const std::string& path, const reports& on_report = [](const auto&) {}) {
  lmzip::train::train(text, options, path, *join_ranks({}, torch::kCPU), on_report);
}

struct temporary_path {
  std::string path;
  explicit temporary_path(const char* name)
      : path((std::filesystem::temp_directory_path() / name).string()) {
    std::filesystem::remove(path);
  }
  ~temporary_path() { std::filesystem::remove(path); }
};

void require_equal_tensors(const std::string& one, const std::string& other) {
  const tensor_file a = tensor_file::read(one), b = tensor_file::read(other);
  REQUIRE(a.tensors.size() == b.tensors.size());
  for (const auto& [name, tensor] : a.tensors) {
    INFO(name);
    CHECK(torch::equal(tensor, b.find(name, tensor.sizes())));
  }
}

std::uint16_t free_port() {
  const int handle = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  REQUIRE(::bind(handle, reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(::getsockname(handle, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  ::close(handle);
  return ntohs(address.sin_port);
}

/// Two ranks, on threads of this process. Returns what the first one's run cost.
training_cost train_together(const std::vector<std::uint16_t>& text,
                             const training_options& options, const std::string& path,
                             const reports& on_report) {
  const std::uint16_t port = free_port();
  const auto run = [&](std::int64_t number) {
    const auto ranks = join_ranks({number, 2, number, "127.0.0.1", port}, torch::kCPU);
    return lmzip::train::train(text, options, path, *ranks, on_report);
  };
  std::exception_ptr failure;
  std::thread second([&] {
    try {
      run(1);
    } catch (...) {
      failure = std::current_exception();
    }
  });
  training_cost cost;
  std::exception_ptr of_first;
  try {
    cost = run(0);
  } catch (...) {
    of_first = std::current_exception();
  }
  second.join();
  if (of_first) std::rethrow_exception(of_first);
  if (failure) std::rethrow_exception(failure);
  return cost;
}

bool near(const Tensor& a, const Tensor& b) { return torch::allclose(a, b, 1e-4, 1e-5); }

}  // namespace

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
  train_alone(text, options, whole.path,
              [&](const training_report& r) { losses.push_back(r.held_out_loss); });
  REQUIRE(losses.size() == 3);
  CHECK(losses.back() < 5);  // 14 bits without learning
  CHECK(losses.back() < losses.front());

  // Ends after 20 steps, as a kill after the first checkpoint would.
  struct stopped {};
  CHECK_THROWS_AS(
      train_alone(text, options, parts.path, [](const training_report&) { throw stopped{}; }),
      stopped);
  CHECK(tensor_file::read(parts.path).note("step") == "20");
  train_alone(text, options, parts.path);
  require_equal_tensors(whole.path, parts.path);
}

TEST_CASE("two ranks train as one does, and one goes on with what two began") {
  const auto text = easy_text(4000);
  const body_shape transformer{
      .kind = "transformer", .width = 16, .layers = 1, .mlp_width = 24, .heads = 2, .context = 5};
  for (const body_shape& shape : {small_options().shape.body, transformer}) {
    CAPTURE(shape.kind);
    const temporary_path base("lmzip-train-begin"), one("lmzip-train-one"), two("lmzip-train-two"),
        mixed("lmzip-train-mixed");
    training_options options = small_options();
    options.shape.body = shape;
    options.schedule.steps = 1;
    train_alone(text, options, base.path);
    options.schedule.steps = 60;
    options.fine_tune = base.path;  // threads share the generator of random numbers
    std::vector<double> losses, losses_of_two, losses_of_both;
    const auto keep_in = [](std::vector<double>& kept) {
      return [&kept](const training_report& r) {
        kept.push_back(r.loss);
        kept.push_back(r.held_out_loss);
      };
    };
    train_alone(text, options, one.path, keep_in(losses));
    const training_cost cost = train_together(text, options, two.path, keep_in(losses_of_two));
    CHECK(cost.tokens == 60 * 2 * 8);
    CHECK(cost.exchange_seconds > 0);
    CHECK(cost.exchange_seconds < cost.seconds);
    struct stopped {};
    const auto stop_at_20 = [](const training_report&) { throw stopped{}; };
    CHECK_THROWS_AS(train_together(text, options, mixed.path, stop_at_20), stopped);
    CHECK(tensor_file::read(mixed.path).note("step") == "20");
    train_alone(text, options, mixed.path, keep_in(losses_of_both));
    REQUIRE(losses.size() == 6);
    REQUIRE(losses_of_two.size() == 6);
    REQUIRE(losses_of_both.size() == 4);
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(losses[i] == doctest::Approx(losses_of_two[i]).epsilon(1e-3));
      if (i >= 2) CHECK(losses[i] == doctest::Approx(losses_of_both[i - 2]).epsilon(1e-3));
    }
  }
}

TEST_CASE("ranks of different texts, and streams that ranks cannot share, are refused") {
  const auto text = easy_text(1000), other = easy_text(1001);
  const temporary_path run("lmzip-train-refused");
  training_options options = small_options();
  const std::uint16_t port = free_port();
  const auto refused = [&](std::int64_t number, const std::vector<std::uint16_t>& mine) {
    try {
      const auto ranks = join_ranks({number, 2, number, "127.0.0.1", port}, torch::kCPU);
      lmzip::train::train(mine, options, run.path, *ranks, [](const auto&) {});
      return false;
    } catch (const error&) {
      return true;
    }
  };
  bool second = false;
  std::thread thread([&] { second = refused(1, other); });
  CHECK(refused(0, text));  // the other one has gone
  thread.join();
  CHECK(second);
  CHECK_FALSE(std::filesystem::exists(run.path));
  options.plan.streams = 3;
  CHECK_THROWS_WITH_AS(train_together(text, options, run.path, [](const auto&) {}),
                       "the streams cannot be divided equally among the ranks", error);
}

TEST_CASE(
    "a run that goes on from a model has its classes and weights, and a schedule of its own") {
  const temporary_path base("lmzip-train-base"), tuned("lmzip-train-tuned");
  training_options options = small_options();
  options.schedule.steps = 40;
  train_alone(easy_text(4000), options, base.path);
  options.fine_tune = base.path;
  options.schedule.steps = 1;
  options.schedule.rate = 1e-9;
  std::vector<std::uint16_t> other = easy_text(2000);
  for (std::uint16_t& leaf : other) leaf = static_cast<std::uint16_t>(leaf * 3);
  train_alone(other, options, tuned.path);
  const tensor_file a = tensor_file::read(base.path), b = tensor_file::read(tuned.path);
  CHECK(torch::equal(a.tensors.at("classes"), b.tensors.at("classes")));
  for (const auto& [name, tensor] : a.tensors)
    if (name.starts_with("model.")) CHECK(near(tensor, b.tensors.at(name)));
  CHECK(b.note("step") == "1");
  options.schedule.steps = 2;
  options.fine_tune = "not there";  // no longer asked for
  train_alone(other, options, tuned.path);
  CHECK(tensor_file::read(tuned.path).note("step") == "2");

  const temporary_path fresh("lmzip-train-fresh");
  options.fine_tune = base.path;
  options.shape.body.width = 24;
  CHECK_THROWS_AS(train_alone(other, options, fresh.path), error);
  CHECK_FALSE(std::filesystem::exists(fresh.path));
}

TEST_CASE("a model that grows computes at first what it did") {
  const temporary_path base("lmzip-train-small");
  training_options options = small_options();
  options.shape.body.layers = 1;
  options.shape.body.mlp_width = 0;
  train_alone(easy_text(4000), options, base.path);
  options.fine_tune = base.path;
  options.schedule = {.rate = 0, .steps = 20, .warm_up = 0, .decay = 0.5};
  std::vector<double> losses;
  for (const int layers : {1, 3}) {
    const temporary_path run("lmzip-train-grown");
    options.shape.body.layers = layers;
    options.shape.body.mlp_width = layers == 1 ? 0 : 16;
    train_alone(easy_text(4000), options, run.path,
                [&](const training_report& r) { losses.push_back(r.held_out_loss); });
    CHECK(tensor_file::read(run.path).tensors.contains("model.body.layer2_mlp_out") ==
          (layers == 3));
  }
  REQUIRE(losses.size() == 2);
  CHECK(losses[0] == losses[1]);

  const temporary_path wider("lmzip-train-wider");
  options.shape.body.width = 24;
  CHECK_THROWS_AS(train_alone(easy_text(4000), options, wider.path), error);
}

TEST_CASE("a student comes near its teacher, and goes on after an interruption as without one") {
  const auto text = easy_text(4000);
  const temporary_path teacher("lmzip-train-teacher"), whole("lmzip-train-student"),
      parts("lmzip-train-half-student");
  training_options options = small_options();
  train_alone(text, options, teacher.path);
  options.teacher = teacher.path;
  options.teacher_share = 1;  // of the text itself it learns nothing
  options.shape.body = {.kind = "recurrent", .width = 8, .layers = 1};
  std::vector<double> losses;
  train_alone(text, options, whole.path,
              [&](const training_report& r) { losses.push_back(r.held_out_loss); });
  CHECK(losses.back() < 7);
  CHECK(losses.back() < losses.front());
  struct stopped {};
  CHECK_THROWS_AS(
      train_alone(text, options, parts.path, [](const training_report&) { throw stopped{}; }),
      stopped);
  train_alone(text, options, parts.path);
  require_equal_tensors(whole.path, parts.path);
  options.teacher = parts.path;  // another one
  options.schedule.steps = 80;
  CHECK_THROWS_AS(train_alone(text, options, whole.path), error);
}

TEST_CASE("a checkpoint tells the shape of its model, or is refused") {
  const temporary_path run("lmzip-train-shape");
  training_options options = small_options();
  options.schedule.steps = 1;
  train_alone(easy_text(1000), options, run.path);
  const auto model = model_in(run.path);
  CHECK(model->shape() == options.shape.body);
  CHECK(model->head().classes().size() == 16);
  const tensor_file whole = tensor_file::read(run.path);
  const auto refused = [&](const std::function<void(tensor_file&)>& damage) {
    tensor_file file = whole;
    damage(file);
    file.write(run.path);
    CHECK_THROWS_AS(model_in(run.path), error);
  };
  refused([](tensor_file& file) { file.notes["options"] = "{}"; });
  refused([](tensor_file& file) { file.notes.erase("options"); });
  refused([](tensor_file& file) {
    file.tensors["classes"] = torch::tensor({0, 5, 3}, torch::kInt64);
  });
  refused([](tensor_file& file) { file.tensors.erase("classes"); });
  refused([](tensor_file& file) { file.tensors.erase("model.head.class_rows"); });
}

TEST_CASE("a checkpoint of other options is refused and left alone") {
  const auto text = easy_text(1000);
  const temporary_path run("lmzip-train-options");
  training_options options = small_options();
  options.schedule.steps = 1;
  train_alone(text, options, run.path);
  options.shape.body.width = 24;
  try {
    train_alone(text, options, run.path);
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
