#include "formats/tensors/layout.h"

#include <utility>

#include "lmzip/error.h"

namespace lmzip::tensors {

std::string_view name_of(format_kind format) noexcept {
  switch (format) {
    case format_kind::none:
      return "plain";
    case format_kind::safetensors:
      return "safetensors";
    case format_kind::gguf:
      return "GGUF";
    case format_kind::npy:
      return "npy";
    case format_kind::npz:
      return "npz";
    case format_kind::torch_zip:
      return "PyTorch";
  }
  return "plain";
}

std::vector<range> ranges_of(const tensor_layout& layout) {
  std::vector<range> ranges;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < layout.tensors.size(); ++i) {
    const tensor& t = layout.tensors[i];
    if (t.offset < at || t.offset > layout.bytes || t.bytes > layout.bytes - t.offset)
      throw error(errc::internal, "tensors overlap");
    if (t.bytes == 0) continue;
    if (t.offset > at) ranges.push_back({.offset = at, .bytes = t.offset - at});
    ranges.push_back({.offset = t.offset, .bytes = t.bytes, .tensor = i});
    at = t.offset + t.bytes;
  }
  if (at < layout.bytes) ranges.push_back({.offset = at, .bytes = layout.bytes - at});
  return ranges;
}

tensor_layout plain_layout(std::uint64_t bytes, std::string reason) {
  tensor_layout layout;
  layout.bytes = bytes;
  layout.reason = std::move(reason);
  return layout;
}

}  // namespace lmzip::tensors
