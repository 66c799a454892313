#pragma once

#include <string>

#include "app/train/language_model.h"
#include "app/train/tensor_file.h"

namespace lmzip::train {

/// What decides the tensors of a model.
struct model_shape {
  body_shape body;
  std::uint32_t classes = 128;
  bool tied = false;  ///< one matrix for the embedding and the leaves of the head

  bool operator==(const model_shape&) const = default;
};

/// The shape of the model in a checkpoint. Throws error(damaged).
model_shape shape_in(const tensor_file& checkpoint);

/// Classes that begin at these leaves, as a checkpoint has them; numbers below 0 at the end stand
/// for nothing. Throws error(damaged).
model::leaf_classes classes_from(const torch::Tensor& first_leaves);

/// The cut of the leaves that the model in a checkpoint was trained on. Throws error(damaged).
model::leaf_classes classes_in(const tensor_file& checkpoint);

/// Whether a model of one shape can begin as one of another shape that computes the same: with more
/// layers, or with an MLP in layers that had none.
bool can_grow(const model_shape& from, const model_shape& to);

/// Copies the weights of the model in a checkpoint. Throws error(damaged) unless all are there.
void load_weights(const tensor_file& checkpoint, language_model& to);

/// The same for a model that has grown: what the checkpoint lacks adds nothing to the residuals.
void load_grown_weights(const tensor_file& checkpoint, language_model& to);

/// Adds weights and classes.
void save_weights(const language_model& from, tensor_file& checkpoint);

/// The whole model of a checkpoint. Throws error(damaged), io::file_error.
std::shared_ptr<language_model> model_in(const std::string& path,
                                         precision products = precision::f32);

}  // namespace lmzip::train
