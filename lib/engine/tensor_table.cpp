#include <utility>

#include "formats/tensors/detect.h"
#include "lmzip/tensors.h"

namespace lmzip {

tensor_table find_tensors(archive_reader& archive) {
  const tensors::random_input in{
      [&](std::uint64_t offset, std::span<std::byte> out) { return archive.read(offset, out); },
      archive.size()};
  tensors::tensor_layout layout = tensors::read_layout(in);
  tensor_table table{std::string(tensors::name_of(layout.format)), {}, std::move(layout.reason)};
  table.tensors.reserve(layout.tensors.size());
  for (tensors::tensor& t : layout.tensors)
    table.tensors.push_back({std::move(t.name),
                             t.type_name.empty() ? std::string(name_of(t.type)) : t.type_name,
                             std::move(t.shape), t.offset, t.bytes});
  return table;
}

}  // namespace lmzip
