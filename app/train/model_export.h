#pragma once

#include "app/train/tensor_file.h"
#include "model/neural/language_model.h"

namespace lmzip::train {

/// Rounds the weights of a checkpoint to the integers of a model file: int8 rows of their own
/// scales. Throws error(usage) if the checkpoint's body has no integer form yet, and error(damaged)
/// if tensors are missing.
model::neural::stored_model integer_model(const tensor_file& checkpoint);

}  // namespace lmzip::train
