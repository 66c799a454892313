#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/train/body.h"
#include "app/train/optimiser.h"
#include "app/train/window_source.h"

namespace lmzip::train {

struct training_options {
  body_shape shape;
  window_plan plan;
  rate_schedule schedule;
  adam_w::options optimiser;
  std::uint32_t classes = 128;
  bool tied = false;  ///< one matrix for the embedding and the leaves of the head
  std::uint64_t steps_between_checkpoints = 1000;
  std::uint64_t steps_between_measurements = 1000;
  std::size_t held_out_chunks = 128;
};

/// How a run stands; losses in bits a token.
struct training_report {
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;
  double rate = 0;
  double loss = 0;           ///< mean since the last report
  double held_out_loss = 0;  ///< 0: not measured at this report
  double cpu_seconds = 0;    ///< of this process
};

/// Trains until the schedule ends, from `checkpoint` if that file exists, and keeps the state there
/// now and then: weights, optimiser, state of the streams, step. A run that was interrupted, even
/// by the loss of power, goes on from the last one. Text, options and libtorch's version decide the
/// result on one kind of machine. Throws error(usage) if the checkpoint is of other options, and
/// error(canceled) on a signal.
void train(const std::vector<std::uint16_t>& leaves, const training_options& options,
           const std::string& checkpoint,
           const std::function<void(const training_report&)>& on_report);

}  // namespace lmzip::train
