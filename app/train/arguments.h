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
  std::string log;  ///< JSON lines; none if empty
  bool help = false;
};

/// Reads what follows the command. Throws error(usage).
train_request parse_train(std::span<const std::string> arguments);

std::string train_help();

}  // namespace lmzip::train
