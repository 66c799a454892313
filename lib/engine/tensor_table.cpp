#include <algorithm>
#include <utility>

#include "formats/tensors/detect.h"
#include "lmzip/tensors.h"

namespace lmzip {
namespace {

/// The file that fills the plain bytes of a member.
tensors::tensor_layout layout_of(archive_reader& archive, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t size = end - begin;
  return tensors::read_layout(
      {[&archive, begin, size](std::uint64_t offset, std::span<std::byte> out) -> std::size_t {
         if (offset >= size) return 0;
         const auto count = std::min<std::uint64_t>(out.size(), size - offset);
         return archive.read(begin + offset, out.first(static_cast<std::size_t>(count)));
       },
       size});
}

void add(tensors::tensor_layout layout, std::uint64_t begin, tensor_table& table) {
  if (table.tensors.empty()) table.format = tensors::name_of(layout.format);
  if (table.reason.empty()) table.reason = std::move(layout.reason);
  table.tensors.reserve(table.tensors.size() + layout.tensors.size());
  for (tensors::tensor& t : layout.tensors)
    table.tensors.push_back({std::move(t.name),
                             t.type_name.empty() ? std::string(name_of(t.type)) : t.type_name,
                             std::move(t.shape), begin + t.offset, t.bytes});
}

}  // namespace

tensor_table find_tensors(archive_reader& archive) {
  tensor_table table{std::string(tensors::name_of(tensors::format_kind::none)), {}, {}};
  const auto begins = archive.member_offsets();
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::uint64_t end = i + 1 < begins.size() ? begins[i + 1] : archive.size();
    add(layout_of(archive, begins[i], end), begins[i], table);
  }
  return table;
}

}  // namespace lmzip
