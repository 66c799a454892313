#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/train/training.h"

namespace lmzip::train {

struct train_request {
  training_options options;
  std::uint64_t tokens = 0;  ///< of the whole run
  std::vector<std::string> texts;
  std::string checkpoint;
  std::string log;     ///< JSON lines; none if empty
  std::string curves;  ///< SVG; none if empty
  std::string device;  ///< "cpu", "cuda", or empty for what there is
  bool help = false;
};

/// Read what follows the command: for `distill` the teacher comes before the texts. Throw
/// error(usage), and what reading a checkpoint throws, whose shape is taken where none is given.
train_request parse_train(std::span<const std::string> arguments);
train_request parse_distill(std::span<const std::string> arguments);

std::string train_help();
std::string distill_help();

}  // namespace lmzip::train
