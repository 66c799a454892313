#include "engine/models.h"

#include "codec/model_file.h"
#include "codec/parameter_file.h"
#include "codec/shipped_models.h"
#include "engine/levels.h"
#include "lmzip/error.h"

namespace lmzip::engine {

namespace {

/// The model that the archive brings along. What cannot be read or is another one than the header
/// says is as if it were not there: the blocks that need it tell.
model_handle brought_model(const container::member_begin& member) {
  if (member.model_file == nullptr) return nullptr;
  try {
    auto model = codec::read_model(*member.model_file);
    return model->id == *member.header.model ? model : nullptr;
  } catch (const error&) {
    return nullptr;
  }
}

}  // namespace

model_handle find_model(const container::member_begin& member, const model_finder& finder) {
  if (member.header_lost || !member.header.model) return nullptr;
  const hash256& id = *member.header.model;
  if (auto shipped = codec::shipped_model(id)) return shipped;
  if (auto brought = brought_model(member)) return brought;
  auto found = finder ? finder(id) : nullptr;
  if (found != nullptr && found->id != id) throw error(errc::internal, "another model was found");
  return found;
}

std::uint64_t memory_of(const model_handle& model) {
  return model == nullptr ? 0 : model->network.memory();
}

}  // namespace lmzip::engine

namespace lmzip {

model_handle load_model(std::span<const std::byte> file) { return codec::read_model(file); }

model_id id_of_model_file(std::span<const std::byte> file) {
  return codec::parameter_file::parse(file, codec::file_magic::model).content_hash();
}

model_info describe_model(const model_handle& model) {
  return {.id = model->id,
          .description = model->facts.description,
          .body = model->network.kind() == model::neural::body_kind::recurrent ? "recurrent"
                                                                               : "transformer",
          .file_bytes = model->file_bytes,
          .parameters = model->network.parameters(),
          .work = model->network.work(),
          .shipped = codec::shipped_model(model->id) != nullptr};
}

bool check_model(const model_handle& model) {
  return codec::model_check_hash(model->network) == model->facts.check;
}

model_handle model_of_level(int level) {
  return level < engine::min_model_level ? nullptr : codec::shipped_model_of_level(level);
}

std::span<const std::byte> shipped_model_file(const model_id& id) {
  return codec::shipped_model_file(id);
}

std::vector<model_handle> shipped_models() { return codec::all_shipped_models(); }

}  // namespace lmzip
