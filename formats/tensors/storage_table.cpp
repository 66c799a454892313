#include "formats/tensors/storage_table.h"

#include <string>
#include <utility>

#include "formats/tensors/arithmetic.h"

namespace lmzip::tensors {

storage_table::storage_table(std::vector<std::byte> pickle)
    : pickle_(std::move(pickle)), storages_(scan_pickle(pickle_)) {
  for (std::size_t i = 0; i < storages_.size(); ++i) {
    // Tensors that share a storage name it again and again.
    const auto [found, is_new] = by_key_.try_emplace(storages_[i].key, i);
    if (!is_new && storages_[found->second].name.empty()) found->second = i;
  }
}

const pickled_storage* storage_table::find(std::string_view key) const {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &storages_[found->second];
}

std::optional<std::uint64_t> storage_table::bytes_of(std::string_view key) const {
  const pickled_storage* storage = find(key);
  if (storage == nullptr) return std::nullopt;
  // Where a tensor told the type of a storage that has none itself, elements are bytes or numbers:
  // either may be meant, and bytes are what PyTorch writes.
  if (!storage->type || storage->is_untyped) return storage->elements;
  const unsigned element_bytes = bits_of(*storage->type) / 8;
  if (storage->elements > UINT64_MAX / element_bytes) return std::nullopt;
  return storage->elements * element_bytes;
}

void storage_table::describe(std::string_view key, bool is_big_endian, tensor& t) const {
  const pickled_storage* storage = find(key);
  if (storage == nullptr) return;
  if (!storage->name.empty()) t.name = storage->name;
  if (!storage->type) return;
  const unsigned element_bytes = bits_of(*storage->type) / 8;
  if (t.bytes % element_bytes != 0) return;
  const std::uint64_t elements = t.bytes / element_bytes;
  if (storage->elements != elements && storage->elements != t.bytes) return;
  t.record_bytes = element_bytes;
  t.type_name = std::string(name_of(*storage->type));
  if (!is_big_endian || element_bytes == 1) t.type = *storage->type;
  t.shape = {elements};
  if (storage->shape && elements_of(*storage->shape) == elements) t.shape = *storage->shape;
}

}  // namespace lmzip::tensors
