#include "engine/models.h"

#include "codec/model_file.h"
#include "codec/parameter_file.h"
#include "codec/shipped_models.h"
#include "lmzip/error.h"

namespace lmzip::engine {

model_handle find_model(const container::member_begin& member, const model_finder& finder) {
  if (member.header_lost || !member.header.model) return nullptr;
  const hash256& id = *member.header.model;
  if (auto shipped = codec::shipped_model(id)) return shipped;
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
          .file_bytes = model->file_bytes,
          .parameters = model->network.parameters(),
          .work = model->network.work(),
          .shipped = codec::shipped_model(model->id) != nullptr};
}

bool check_model(const model_handle& model) {
  return codec::model_check_hash(model->network) == model->facts.check;
}

std::vector<model_handle> shipped_models() { return codec::all_shipped_models(); }

}  // namespace lmzip
