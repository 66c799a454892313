#include "formats/tensors/gguf.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cursor.h"
#include "formats/tensors/arithmetic.h"
#include "lmzip/error.h"

namespace lmzip::tensors {
namespace {

constexpr std::string_view magic = "GGUF";
constexpr std::uint32_t big_endian_version = 0x03000000;
constexpr std::uint64_t default_alignment = 32;
constexpr std::uint64_t longest_name = 63;
constexpr std::uint32_t most_axes = 4;
constexpr std::uint64_t longest_text = std::uint64_t{1} << 30;  ///< and largest array
constexpr std::uint64_t least_pair_bytes = 8 + 4 + 1;
constexpr std::uint64_t least_tensor_bytes = 8 + 4 + 4 + 8;

/// Types of values, by number.
enum value_type : std::uint32_t { value_u32 = 4, value_text = 8, value_array = 9 };
constexpr std::array<std::uint8_t, 13> value_bytes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

/// A type of tensors: `elements` of them take `bytes` bytes.
struct block_type {
  std::string_view name;
  std::uint16_t elements = 0;
  std::uint16_t bytes = 0;
  dtype type = dtype::bytes;
};

/// By the numbers of enum ggml_type; gaps are types that were removed again.
constexpr std::array<block_type, 42> block_types = {{
    {"F32", 1, 4, dtype::f32},
    {"F16", 1, 2, dtype::f16},
    {"Q4_0", 32, 18},
    {"Q4_1", 32, 20},
    {},
    {},
    {"Q5_0", 32, 22},
    {"Q5_1", 32, 24},
    {"Q8_0", 32, 34},
    {"Q8_1", 32, 36},
    {"Q2_K", 256, 84},
    {"Q3_K", 256, 110},
    {"Q4_K", 256, 144},
    {"Q5_K", 256, 176},
    {"Q6_K", 256, 210},
    {"Q8_K", 256, 292},
    {"IQ2_XXS", 256, 66},
    {"IQ2_XS", 256, 74},
    {"IQ3_XXS", 256, 98},
    {"IQ1_S", 256, 50},
    {"IQ4_NL", 32, 18},
    {"IQ3_S", 256, 110},
    {"IQ2_S", 256, 82},
    {"IQ4_XS", 256, 136},
    {"I8", 1, 1, dtype::i8},
    {"I16", 1, 2, dtype::i16},
    {"I32", 1, 4, dtype::i32},
    {"I64", 1, 8, dtype::i64},
    {"F64", 1, 8, dtype::f64},
    {"IQ1_M", 256, 56},
    {"BF16", 1, 2, dtype::bf16},
    {},
    {},
    {},
    {"TQ1_0", 256, 54},
    {"TQ2_0", 256, 66},
    {},
    {},
    {},
    {"MXFP4", 32, 17},
    {"NVFP4", 64, 36},
    {"Q1_0", 128, 18},
}};

[[noreturn]] void refuse(const std::string& what) { throw error(errc::damaged, what); }

void skip(cursor& in, std::uint64_t count) {
  if (count > in.remaining()) throw error(errc::truncated, "ends too early", in.offset());
  in.bytes(static_cast<std::size_t>(count));
}

std::string_view read_text(cursor& in, std::uint64_t longest) {
  const std::uint64_t length = in.u64();
  if (length > longest) refuse("a text or a name is too long");
  const auto bytes = in.bytes(static_cast<std::size_t>(length));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void skip_array(cursor& in) {
  const std::uint32_t type = in.u32();
  const std::uint64_t count = in.u64();
  if (type >= value_bytes.size() || type == value_array) refuse("an array of an unknown type");
  if (count > longest_text) refuse("an array is too large");
  if (type == value_text) {
    for (std::uint64_t i = 0; i < count; ++i) read_text(in, longest_text);
  } else {
    skip(in, count * value_bytes[type]);
  }
}

void skip_value(cursor& in, std::uint32_t type) {
  if (type >= value_bytes.size()) refuse("a value of an unknown type");
  if (type == value_array) {
    skip_array(in);
  } else if (type == value_text) {
    read_text(in, longest_text);
  } else {
    skip(in, value_bytes[type]);
  }
}

/// Sorts the names.
bool has_duplicate(std::vector<std::string_view>& names) {
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

/// Reads the pairs and returns the alignment.
std::uint64_t read_pairs(cursor& in, std::uint64_t count) {
  std::uint64_t alignment = default_alignment;
  std::vector<std::string_view> keys;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view key = read_text(in, longest_text);
    keys.push_back(key);
    const std::uint32_t type = in.u32();
    if (key != "general.alignment") {
      skip_value(in, type);
      continue;
    }
    if (type != value_u32) refuse("the alignment is no number of 32 bits");
    alignment = in.u32();
    if (!std::has_single_bit(alignment)) refuse("the alignment is no power of two");
  }
  if (has_duplicate(keys)) refuse("a key comes twice");
  return alignment;
}

/// Sets type and size. False for a type that is not known: then there is no size.
bool set_type(tensor& t, std::uint32_t number, std::uint64_t elements) {
  if (number >= block_types.size() || block_types[number].elements == 0) {
    t.type_name = "type " + std::to_string(number);
    return false;
  }
  const block_type& type = block_types[number];
  const std::uint64_t along_row = t.shape.empty() ? 1 : t.shape.back();
  if (along_row % type.elements != 0)
    refuse("tensor " + quoted(t.name) + " has rows of no whole blocks");
  const auto bytes = product_of(elements / type.elements, type.bytes);
  if (!bytes) refuse("tensor " + quoted(t.name) + " is too large");
  t.type = type.type;
  t.type_name = type.name;
  t.record_bytes = type.bytes;
  t.bytes = *bytes;
  return true;
}

/// Tensors as they are described: offsets are relative to the data.
struct description {
  std::vector<tensor> tensors;
  std::vector<bool> has_size;
};

void read_tensor(cursor& in, description& to) {
  tensor t;
  t.name = read_text(in, longest_name);
  const std::uint32_t axes = in.u32();
  if (axes > most_axes) refuse("tensor " + quoted(t.name) + " has too many axes");
  t.shape.resize(axes);
  for (std::uint64_t& axis : t.shape) axis = in.u64();
  const auto elements = elements_of(t.shape);
  if (!elements || *elements > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    refuse("tensor " + quoted(t.name) + " has a shape that is too large");
  // The file gives the axis first that is walked through first.
  std::reverse(t.shape.begin(), t.shape.end());
  const std::uint32_t type = in.u32();
  t.offset = in.u64();
  to.has_size.push_back(set_type(t, type, *elements));
  to.tensors.push_back(std::move(t));
}

description read_tensors(cursor& in, std::uint64_t count) {
  description all;
  all.tensors.reserve(static_cast<std::size_t>(
      std::min<std::uint64_t>(count, in.remaining() / least_tensor_bytes)));
  for (std::uint64_t i = 0; i < count; ++i) read_tensor(in, all);
  std::vector<std::string_view> names;
  for (const tensor& t : all.tensors) names.push_back(t.name);
  if (has_duplicate(names)) refuse("a tensor comes twice");
  return all;
}

/// Makes sure that each tensor stands where the ones before it end, and gives those of unknown type
/// the bytes up to the next one. `room` is what the input has for data, if that is known; if it is
/// not, a last tensor without a size is left out.
std::vector<tensor> arrange(description all, std::uint64_t alignment,
                            std::optional<std::uint64_t> room) {
  std::vector<tensor>& tensors = all.tensors;
  std::optional<std::uint64_t> expected = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    tensor& t = tensors[i];
    if (!expected || t.offset != *expected)
      refuse("tensor " + quoted(t.name) + " does not stand where the one before it ends");
    if (!all.has_size[i]) {
      const bool is_last = i + 1 == tensors.size();
      if (is_last && !room) {
        tensors.pop_back();
        break;
      }
      const std::uint64_t next = is_last ? *room : tensors[i + 1].offset;
      if (next < t.offset || (!is_last && next % alignment != 0))
        refuse("tensor " + quoted(t.name) + " does not end where the next one begins");
      t.bytes = next - t.offset;
      expected = next;
    } else {
      const auto end = sum_of(t.offset, t.bytes);
      expected = end ? aligned(*end, alignment) : std::nullopt;
    }
    if (room && (t.offset > *room || t.bytes > *room - t.offset))
      refuse("the file ends within tensor " + quoted(t.name));
  }
  return std::move(tensors);
}

/// The bytes that the header takes at least must be within the limit before any of it is believed.
void check_counts(std::uint64_t tensors, std::uint64_t pairs, std::uint64_t limit) {
  if (tensors > limit / least_tensor_bytes || pairs > limit / least_pair_bytes)
    refuse("the header is too large");
}

tensor_layout read(const beginning& from, const read_limits& limits) {
  cursor in(from.bytes);
  in.bytes(magic.size());
  const std::uint32_t version = in.u32();
  if (version == big_endian_version) refuse("big-endian files are not cut into tensors");
  if (version != 2 && version != 3) refuse("version " + std::to_string(version) + " is not known");
  const std::uint64_t tensor_count = in.u64();
  const std::uint64_t pair_count = in.u64();
  check_counts(tensor_count, pair_count, limits.header_bytes);
  const std::uint64_t alignment = read_pairs(in, pair_count);
  description described = read_tensors(in, tensor_count);
  const std::uint64_t start = *aligned(in.position(), alignment);
  std::optional<std::uint64_t> room;
  if (from.total) room = *from.total - std::min(start, *from.total);
  tensor_layout layout;
  layout.format = format_kind::gguf;
  layout.tensors = arrange(std::move(described), alignment, room);
  layout.bytes = in.position();
  for (tensor& t : layout.tensors) {
    const auto place = sum_of(start, t.offset);
    const auto end = sum_of(start + t.offset, t.bytes);
    if (!place || !end) refuse("tensor " + quoted(t.name) + " is too large");
    // An empty one may stand where padding would end that is not there.
    t.offset = from.total ? std::min(*place, *from.total) : *place;
    layout.bytes = *end;
  }
  if (from.total) layout.bytes = *from.total;
  return layout;
}

}  // namespace

bool looks_like_gguf(const beginning& from) noexcept {
  return from.bytes.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), reinterpret_cast<const char*>(from.bytes.data()));
}

probe_result probe_gguf(const beginning& from, const read_limits& limits) {
  const auto refused = [&](const std::string& why) {
    return probe_result::decide(plain_layout(from.known_bytes(), "not read as GGUF: " + why));
  };
  try {
    return probe_result::decide(read(from, limits));
  } catch (const error& e) {
    if (e.code() != errc::truncated) return refused(e.what());
    if (from.is_all()) return refused("the file ends within its header");
    const auto wanted = larger_prefix(from, limits.header_bytes);
    if (!wanted) return refused("the header is too large");
    return probe_result::ask_for(*wanted);
  }
}

}  // namespace lmzip::tensors
