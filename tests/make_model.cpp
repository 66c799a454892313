// make_model FILE [SEED [transformer]]: writes a small model with weights by chance, for tests of
// the programs. With SEED 0 all of them are equal, so that the file is small enough for
// tests/fuzz/corpus/model.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "codec/model_file.h"
#include "tests/random_model.h"
#include "vocab/shipped.h"

namespace {

using namespace lmzip;

void level(model::neural::stored_matrix& m) {
  std::fill(m.factors.begin(), m.factors.end(), std::uint16_t{1000});
  std::fill(m.weights.begin(), m.weights.end(), std::int8_t{1});
}

void level(model::neural::stored_model& m) {
  for (auto* matrix : {&m.embedding, &m.class_rows, &m.leaf_rows}) level(*matrix);
  for (auto& l : m.layers)
    for (auto* matrix : {&l.in, &l.query, &l.key_value, &l.out, &l.mlp_in, &l.mlp_out})
      level(*matrix);
  std::fill(m.leaf_biases.begin(), m.leaf_biases.end(), 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  const auto seed = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 1);
  const bool attends = argc > 3 && argv[3] == std::string_view("transformer");
  auto stored =
      test::random_model({.leaves = static_cast<std::uint32_t>(vocab::shipped_vocabulary().size()),
                          .width = 8,
                          .layers = 1,
                          .mlp = 0,
                          .classes = 32,
                          .tied = true,
                          .heads = attends ? 1 : 0,
                          .context = attends ? 4 : 0},
                         seed);
  if (seed == 0) level(stored);
  const auto file = codec::pack_model(
      stored, {.description = "test model " + std::to_string(seed), .vocabulary = {}, .check = {}});
  std::ofstream out(argv[1], std::ios::binary);
  out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  return out.good() ? 0 : 1;
}
