#include "app/train/checkpoint.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/train/model_import.h"
#include "lmzip/error.h"
#include "vocab/shipped.h"

namespace lmzip::train {

model_shape shape_in(const tensor_file& checkpoint) {
  try {
    const auto options = nlohmann::json::parse(checkpoint.note("options"));
    return {{options.at("body"), options.at("width"), options.at("layers"), options.at("mlp"),
             options.at("heads"), options.at("context")},
            options.at("classes"),
            options.at("tied")};
  } catch (const nlohmann::json::exception& failure) {
    throw error(errc::damaged, std::string("the options of the checkpoint: ") + failure.what());
  }
}

model::leaf_classes classes_from(const torch::Tensor& first_leaves) {
  if (first_leaves.scalar_type() != torch::kInt64 || first_leaves.dim() != 1)
    throw error(errc::damaged, "the classes of leaves are no numbers");
  const auto leaves = static_cast<std::int64_t>(vocab::shipped_vocabulary().size());
  std::vector<std::uint16_t> first;
  for (std::int64_t i = 0; i < first_leaves.size(0); ++i) {
    const auto leaf = first_leaves[i].item<std::int64_t>();
    if (leaf < 0) break;
    if (leaf >= leaves) throw error(errc::damaged, "the classes are not of this vocabulary");
    first.push_back(static_cast<std::uint16_t>(leaf));
  }
  return {first, static_cast<std::uint32_t>(leaves)};
}

model::leaf_classes classes_in(const tensor_file& checkpoint) {
  const auto found = checkpoint.tensors.find("classes");
  if (found == checkpoint.tensors.end()) throw error(errc::damaged, "there is no tensor classes");
  return classes_from(found->second);
}

void load_weights(const tensor_file& checkpoint, language_model& to) {
  const torch::NoGradGuard no_gradient;
  for (auto& entry : to.named_parameters())
    entry.value().copy_(checkpoint.find("model." + entry.key(), entry.value().sizes()));
}

bool can_grow(const model_shape& from, const model_shape& to) {
  model_shape grown = from;
  grown.body.layers = std::max(from.body.layers, to.body.layers);
  if (from.body.mlp_width == 0) grown.body.mlp_width = to.body.mlp_width;
  return grown == to;
}

void load_grown_weights(const tensor_file& checkpoint, language_model& to) {
  const torch::NoGradGuard no_gradient;
  for (auto& entry : to.named_parameters()) {
    const std::string name = "model." + entry.key();
    if (checkpoint.tensors.contains(name))
      entry.value().copy_(checkpoint.find(name, entry.value().sizes()));
    else if (name.ends_with("_out"))
      entry.value().zero_();
  }
}

void save_weights(const language_model& from, tensor_file& checkpoint) {
  for (const auto& entry : from.named_parameters())
    checkpoint.tensors["model." + entry.key()] = entry.value().detach().cpu();
  std::vector<std::int64_t> first;
  for (std::uint32_t k = 0; k < from.head().classes().size(); ++k)
    first.push_back(from.head().classes().first_leaf(k));
  checkpoint.tensors["classes"] = torch::tensor(first);
}

std::shared_ptr<language_model> model_in(const std::string& path, precision products) {
  const tensor_file checkpoint = read_weights(path);
  try {
    const model_shape shape = shape_in(checkpoint);
    const model::leaf_classes classes = classes_in(checkpoint);
    checkpoint.find("model.embedding", {classes.leaves() + 1, shape.body.width});  // before memory
    auto model = std::make_shared<language_model>(shape.body, classes, shape.tied, products);
    load_weights(checkpoint, *model);
    return model;
  } catch (const error& failure) {
    throw error(errc::damaged, path + ": " + failure.what());
  }
}

}  // namespace lmzip::train
