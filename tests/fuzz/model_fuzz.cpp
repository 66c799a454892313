#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/model_file.h"
#include "codec/parameter_file.h"
#include "lmzip/error.h"
#include "model/neural/network_distribution.h"
#include "tests/random_model.h"

using namespace lmzip;

namespace {

// Takes numbers of the input for numbers of the model.
class mutation {
 public:
  explicit mutation(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <class Number>
  void change(std::vector<Number>& numbers) {
    while (bytes_.size() >= 4 && !numbers.empty() && bytes_[0] % 4 != 0) {
      const std::size_t at = (bytes_[1] | bytes_[2] << 8) % numbers.size();
      numbers[at] = static_cast<Number>(bytes_[3] << (8 * (sizeof(Number) - 1)) | bytes_[0]);
      bytes_ = bytes_.subspan(4);
    }
    if (!bytes_.empty()) bytes_ = bytes_.subspan(1);
  }

  void change(model::neural::stored_matrix& matrix) {
    if (!bytes_.empty()) matrix.shift = static_cast<std::int8_t>(bytes_[0]) % 32;
    change(matrix.factors);
    change(matrix.weights);
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

void change(model::neural::stored_model& stored, std::span<const std::uint8_t> bytes) {
  mutation input(bytes);
  input.change(stored.class_starts);
  input.change(stored.embedding);
  for (auto& layer : stored.layers) {
    input.change(layer.shift_now);
    input.change(layer.bias);
    for (auto* matrix :
         {&layer.in, &layer.query, &layer.key_value, &layer.out, &layer.mlp_in, &layer.mlp_out})
      input.change(*matrix);
  }
  input.change(stored.class_rows);
  input.change(stored.class_biases);
  input.change(stored.leaf_rows);
  input.change(stored.leaf_biases);
}

void run(const model::neural::stored_model& stored) {
  const model::neural::language_model model(stored);
  model::neural::network_distribution chances(model);
  for (std::uint32_t i = 0; i < 6; ++i) {
    std::uint64_t before = 0;
    for (std::uint32_t leaf = 0; leaf <= model.classes().leaves(); ++leaf) {
      const std::uint64_t mass = chances.mass_below(leaf);
      if (mass < before) __builtin_trap();
      before = mass;
    }
    if (before != chances.total()) __builtin_trap();
    chances.advance(i * 5 % model.classes().leaves());
  }
}

}  // namespace

// First as a file, whose hash is not asked for; then as changes to a small model
// of each kind.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto accepts = [](const auto& attempt) {
    try {
      attempt();
    } catch (const error& e) {
      if (e.code() != errc::damaged && e.code() != errc::truncated && e.code() != errc::unsupported)
        __builtin_trap();
    }
  };
  accepts([&] { codec::read_sound_model(std::as_bytes(std::span(data, size))); });
  for (const int heads : {0, 1})
    accepts([&] {
      auto stored = test::random_model({.leaves = 30,
                                        .width = 8,
                                        .layers = 1,
                                        .mlp = 8,
                                        .classes = 4,
                                        .heads = heads,
                                        .context = 4 * heads});
      change(stored, {data, size});
      run(stored);
    });
  return 0;
}
