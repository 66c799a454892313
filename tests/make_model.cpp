// make_model FILE [SEED]: writes a small model with weights by chance, for tests of the programs.

#include <cstdlib>
#include <fstream>

#include "codec/model_file.h"
#include "tests/random_model.h"
#include "vocab/shipped.h"

int main(int argc, char** argv) {
  using namespace lmzip;
  if (argc < 2) return 1;
  const auto seed = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 1);
  const auto stored =
      test::random_model({.leaves = static_cast<std::uint32_t>(vocab::shipped_vocabulary().size()),
                          .width = 8,
                          .layers = 1,
                          .mlp = 0,
                          .classes = 32,
                          .tied = true},
                         seed);
  const auto file = codec::pack_model(
      stored, {.description = "test model " + std::to_string(seed), .vocabulary = {}, .check = {}});
  std::ofstream out(argv[1], std::ios::binary);
  out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  return out.good() ? 0 : 1;
}
