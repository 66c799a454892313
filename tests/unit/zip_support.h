#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tensor_support.h"

/// Zip archives of tensors made by hand, as strings of bytes.
namespace tensor_support {

struct zip_file {
  struct member {
    std::string name;
    std::string data;
    unsigned method = 0;
    unsigned flags = 0;
    std::string local_extra = {};
    bool has_descriptor = false;  ///< sizes stand behind the data
  };

  std::vector<member> members;
  bool is_64 = false;
  std::string comment = {};

  std::string file() const {
    std::string out;
    std::string directory;
    for (const member& m : members) {
      const std::string sizes = u32(m.data.size()) + u32(m.data.size());
      const std::string common = u16(20) + u16(m.flags) + u16(m.method) + u32(0) + u32(0);
      directory += "PK\x01\x02" + u16(20) + common;
      if (is_64) {
        directory += u32(~0U) + u32(~0U) + u16(m.name.size()) + u16(28) + u16(0) + u16(0) + u16(0) +
                     u32(0) + u32(~0U) + m.name + u16(1) + u16(24) + u64(m.data.size()) +
                     u64(m.data.size()) + u64(out.size());
      } else {
        directory += sizes + u16(m.name.size()) + u16(0) + u16(0) + u16(0) + u16(0) + u32(0) +
                     u32(out.size()) + m.name;
      }
      out += "PK\x03\x04" + common + (m.has_descriptor ? u64(0) : sizes) + u16(m.name.size()) +
             u16(m.local_extra.size()) + m.name + m.local_extra + m.data;
      if (m.has_descriptor) out += "PK\x07\x08" + u32(0) + sizes;
    }
    const std::uint64_t start = out.size();
    out += directory;
    const std::uint64_t end = out.size();
    if (is_64)
      out += "PK\x06\x06" + u64(44) + u16(45) + u16(45) + u32(0) + u32(0) + u64(members.size()) +
             u64(members.size()) + u64(directory.size()) + u64(start) + "PK\x06\x07" + u32(0) +
             u64(end) + u32(1);
    out += "PK\x05\x06" + u32(0) + u16(is_64 ? 0xffff : members.size()) +
           u16(is_64 ? 0xffff : members.size()) + u32(is_64 ? ~0U : directory.size()) +
           u32(is_64 ? ~0U : start) + u16(comment.size()) + comment;
    return out;
  }
};

inline std::string text(std::string_view value) {
  return "X" + u32(value.size()) + std::string(value);
}

/// A storage of `elements` elements as PyTorch pickles it.
inline std::string storage(std::string_view type, std::string_view key, unsigned elements) {
  return "(" + text("storage") + "ctorch\n" + std::string(type) + "\n" + text(key) + text("cpu") +
         "M" + u16(elements) + "tQ";
}

inline std::string number_tuple(const std::vector<unsigned>& numbers) {
  std::string out = "(";
  for (const unsigned n : numbers) out += "M" + u16(n);
  return out + "t";
}

inline std::string torch_tensor(const std::string& of, unsigned first,
                                const std::vector<unsigned>& shape,
                                const std::vector<unsigned>& strides) {
  return "ctorch._utils\n_rebuild_tensor_v2\n(" + of + "M" + u16(first) + number_tuple(shape) +
         number_tuple(strides) + "\x89" + "ccollections\nOrderedDict\n)RtR";
}

/// {"w": 2 x 3 halves, "b": 4 floats}
inline std::string example_pickle() {
  return "\x80\x02}(" + text("w") +
         torch_tensor(storage("HalfStorage", "0", 6), 0, {2, 3}, {3, 1}) + text("b") +
         torch_tensor(storage("FloatStorage", "1", 4), 0, {4}, {1}) + "u.";
}

inline zip_file torch_file(const std::string& pickle) {
  return {.members = {{.name = "model/data.pkl", .data = pickle, .local_extra = "FB\x01\x00Z"},
                      {.name = "model/byteorder", .data = "little"},
                      {.name = "model/data/0", .data = std::string(12, 'w')},
                      {.name = "model/data/1", .data = std::string(16, 'b')},
                      {.name = "model/version", .data = "3\n"}}};
}

inline std::string npy(std::size_t bytes) {
  const std::string literal =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(bytes / 4) + ",)}\n";
  return std::string("\x93NUMPY\x01", 7) + std::string(1, '\0') + u16(literal.size()) + literal +
         std::string(bytes, 'd');
}

inline zip_file npz_file() {
  return {.members = {{.name = "a.npy", .data = npy(8)}, {.name = "b/c.npy", .data = npy(0)}}};
}

}  // namespace tensor_support
