#pragma once

#include <string>

#include "app/train/tensor_file.h"
#include "model/neural/language_model.h"

namespace lmzip::train {

/// The weights of an integer model as floats, as a checkpoint of a model has them that has not been
/// trained any further: integer_model() gives the same numbers again, but for rounding. What the
/// token shift is spread by stays in it. The numbers must be those of a model that can be run.
tensor_file float_weights(const model::neural::stored_model& model);

/// Whether a name is that of a model file, by its first bytes, or, where there is no such file, the
/// id of a model or at least eight digits of its beginning.
bool names_model(const std::string& name);

/// The weights of a checkpoint or of a model. Throws error(missing) for an id that is not known,
/// error(damaged), io::file_error.
tensor_file read_weights(const std::string& name);

}  // namespace lmzip::train
