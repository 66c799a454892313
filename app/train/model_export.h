#pragma once

#include "app/train/body.h"
#include "app/train/tensor_file.h"
#include "model/neural/language_model.h"

namespace lmzip::train {

/// Whether the integer engine can run such a body: heads of a transformer must have a multiple of 8
/// channels, and its context at most 1024 tokens.
bool has_integer_form(const body_shape& body);

/// Rounds the weights of a checkpoint to the integers of a model file: int8 rows of their own
/// scales. Throws error(usage) if the checkpoint's body has no integer form, and error(damaged) if
/// tensors are missing.
model::neural::stored_model integer_model(const tensor_file& checkpoint);

}  // namespace lmzip::train
