#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/train/checkpoint.h"
#include "app/train/optimiser.h"
#include "app/train/rank_group.h"
#include "app/train/training_report.h"
#include "app/train/window_source.h"

namespace lmzip::train {

struct training_options {
  model_shape shape;
  window_plan plan;
  rate_schedule schedule;
  adam_w::options optimiser;
  std::uint64_t steps_between_checkpoints = 1000;
  std::uint64_t steps_between_measurements = 1000;
  std::size_t held_out_chunks = 128;
  std::string fine_tune;       ///< checkpoint or model of which a new run takes the weights; may be
                               ///< smaller; none if empty
  std::string teacher;         ///< checkpoint or model to learn from; none if empty
  double teacher_share = 0.5;  ///< weight of its distributions, beside the text itself
  torch::Device device = torch::kCPU;
  precision products = precision::f32;
};

/// What a run cost this rank.
struct training_cost {
  std::uint64_t tokens = 0;     ///< that it trained on
  double seconds = 0;           ///< of all its steps
  double exchange_seconds = 0;  ///< of these, for gradients: waiting for others included
};

/// Trains until the schedule ends, from `checkpoint` if that file exists, and keeps the state there
/// now and then: weights, optimiser, state of the streams, step. A run that was interrupted, even
/// by the loss of power, goes on from the last one. Text, options, number of ranks and libtorch's
/// version decide the result on one kind of machine; on accelerators sums of gradients have no
/// fixed order, so that results differ by rounding.
///
/// Each rank takes its share of the streams, and all average their gradients: but for rounding the
/// result is that of one rank. Rank 0 alone reads and writes files and reports.
///
/// A run with a teacher has the teacher's classes of leaves.
///
/// Throws error(usage) if the checkpoint is of other options, the ranks have other texts or options
/// than rank 0 or do not divide the streams, and error(canceled) on a signal.
training_cost train(const std::vector<std::uint16_t>& leaves, const training_options& options,
                    const std::string& checkpoint, rank_group& ranks,
                    const std::function<void(const training_report&)>& on_report);

}  // namespace lmzip::train
