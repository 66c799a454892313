#include "formats/tensors/safetensors.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/endian.h"
#include "core/hash.h"
#include "formats/tensors/arithmetic.h"
#include "formats/tensors/json_reader.h"
#include "lmzip/error.h"

namespace lmzip::tensors {
namespace {

constexpr std::size_t size_bytes = 8;
/// White space may stand before the object; more of it than this is looked at no further.
constexpr std::size_t looked_at = 64;
/// The first eight bytes of a text make a larger number than this.
constexpr std::uint64_t largest_likely_header = std::uint64_t{1} << 32;
/// A type that is not known may take so much for an element before its size is no hint any more.
constexpr std::uint64_t longest_unknown_element = 64;

[[noreturn]] void refuse(const std::string& what) { throw error(errc::damaged, what); }

/// Reads one array of sizes.
void read_sizes(json_reader& json, std::vector<std::uint64_t>& sizes) {
  sizes.clear();
  json.enter_array();
  while (json.next_element()) sizes.push_back(json.read_unsigned());
}

/// Reads tensors one by one; keeps the memory that they share.
class tensor_reader {
 public:
  explicit tensor_reader(json_reader& json) : json_(json) {}

  /// Reads what stands behind a name. Offsets are relative to the end of the header.
  tensor read(std::string_view name) {
    tensor out;
    bool has_type = false;
    bool has_shape = false;
    bool has_range = false;
    json_.enter_object();
    while (json_.next_member(member_)) {
      if (member_ == "dtype") {
        once(has_type, name);
        json_.read_string(out.type_name);
      } else if (member_ == "shape") {
        once(has_shape, name);
        read_sizes(json_, sizes_);
        out.shape.assign(sizes_.begin(), sizes_.end());
      } else if (member_ == "data_offsets") {
        once(has_range, name);
        read_sizes(json_, sizes_);
        if (sizes_.size() != 2 || sizes_[0] > sizes_[1])
          refuse("tensor " + quoted(name) + " has no valid range");
        out.offset = sizes_[0];
        out.bytes = sizes_[1] - sizes_[0];
      } else {
        json_.skip_value();
      }
    }
    if (!has_type || !has_shape || !has_range)
      refuse("tensor " + quoted(name) + " lacks type, shape or range");
    out.name = name;
    set_type(out);
    return out;
  }

 private:
  static void once(bool& seen, std::string_view name) {
    if (seen) refuse("tensor " + quoted(name) + " has a member twice");
    seen = true;
  }

  static void set_type(tensor& t) {
    const auto elements = elements_of(t.shape);
    if (!elements) refuse("tensor " + quoted(t.name) + " has a shape that is too large");
    const auto type = dtype_named(t.type_name);
    if (!type) {
      if (*elements > 0 && t.bytes % *elements == 0 && t.bytes > 0 &&
          t.bytes / *elements <= longest_unknown_element)
        t.record_bytes = static_cast<std::uint32_t>(t.bytes / *elements);
      return;
    }
    t.type = *type;
    const unsigned bits = bits_of(*type);
    const auto all_bits = product_of(*elements, bits);
    if (!all_bits || *all_bits % 8 != 0 || *all_bits / 8 != t.bytes)
      refuse("tensor " + quoted(t.name) + " has a range that does not fit its shape");
    // Four values of 6 bits make three bytes.
    t.record_bytes = bits == 6 ? 3 : std::max(bits / 8, 1U);
  }

  json_reader& json_;
  std::string member_;
  std::vector<std::uint64_t> sizes_;
};

void check_metadata(json_reader& json) {
  if (json.next() == 'n') return json.read_null();
  std::string text;
  json.enter_object();
  while (json.next_member(text)) json.read_string(text);
}

std::vector<tensor> read_header(std::string_view header) {
  if (!is_utf8(header)) refuse("the header is not UTF-8");
  json_reader json(header, size_bytes);
  tensor_reader reader(json);
  std::vector<tensor> tensors;
  std::string name;
  bool has_metadata = false;
  json.enter_object();
  while (json.next_member(name)) {
    if (name != "__metadata__") {
      tensors.push_back(reader.read(name));
      continue;
    }
    if (has_metadata) refuse("the header has its metadata twice");
    has_metadata = true;
    check_metadata(json);
  }
  json.finish();
  return tensors;
}

/// Of tensors of the same name the last one counts, as for the reference reader.
void drop_overwritten(std::vector<tensor>& tensors) {
  struct place {
    std::uint64_t hash;
    std::size_t index;
  };
  std::vector<place> places(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i)
    places[i] = {xxh3_64(std::as_bytes(std::span(tensors[i].name))), i};
  std::sort(places.begin(), places.end(), [&](const place& a, const place& b) {
    return std::tie(a.hash, tensors[a.index].name, a.index) <
           std::tie(b.hash, tensors[b.index].name, b.index);
  });
  std::vector<bool> dropped;
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i - 1].hash != places[i].hash ||
        tensors[places[i - 1].index].name != tensors[places[i].index].name)
      continue;
    dropped.resize(tensors.size());
    dropped[places[i - 1].index] = true;
  }
  if (dropped.empty()) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (!dropped[i]) std::swap(tensors[kept++], tensors[i]);
  tensors.resize(kept);
}

/// Brings the tensors in order and makes sure that they cover their data without gap and overlap.
/// Returns how many bytes that are.
std::uint64_t arrange(std::vector<tensor>& tensors) {
  const auto before = [](const tensor& a, const tensor& b) {
    return std::tie(a.offset, a.bytes) < std::tie(b.offset, b.bytes);
  };
  if (!std::is_sorted(tensors.begin(), tensors.end(), before))
    std::stable_sort(tensors.begin(), tensors.end(), before);
  std::uint64_t end = 0;
  for (const tensor& t : tensors) {
    if (t.offset != end)
      refuse("tensor " + quoted(t.name) +
             (t.offset > end ? " follows a hole" : " overlaps another one"));
    end += t.bytes;  // offset + bytes was a number of the header
  }
  return end;
}

tensor_layout read(const beginning& from, std::uint64_t header_bytes) {
  const auto text = from.bytes.subspan(size_bytes, static_cast<std::size_t>(header_bytes));
  tensor_layout layout;
  layout.format = format_kind::safetensors;
  layout.tensors = read_header({reinterpret_cast<const char*>(text.data()), text.size()});
  drop_overwritten(layout.tensors);
  const std::uint64_t start = size_bytes + header_bytes;
  const auto end = sum_of(start, arrange(layout.tensors));
  if (!end) refuse("the tensors are too large");
  if (from.total && *end > *from.total)
    refuse("the file ends " + std::to_string(*end - *from.total) + " bytes before its tensors do");
  if (from.total && *end < *from.total)
    refuse(std::to_string(*from.total - *end) + " bytes follow the last tensor");
  for (tensor& t : layout.tensors) t.offset += start;
  layout.bytes = *end;
  return layout;
}

}  // namespace

bool looks_like_safetensors(const beginning& from) noexcept {
  if (from.bytes.size() <= size_bytes) return false;
  if (load_le<std::uint64_t>(from.bytes.data()) > largest_likely_header) return false;
  const auto text = from.bytes.subspan(size_bytes);
  for (const std::byte b : text.first(std::min(text.size(), looked_at))) {
    const char c = static_cast<char>(b);
    if (c == '{') return true;
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return false;
  }
  return text.size() >= looked_at;
}

probe_result probe_safetensors(const beginning& from, const read_limits& limits) {
  const auto refused = [&](std::string reason) {
    return probe_result::decide(plain_layout(from.known_bytes(), std::move(reason)));
  };
  if (from.bytes.size() < size_bytes + looked_at && !from.is_all())
    return probe_result::ask_for(size_bytes + looked_at);
  if (!looks_like_safetensors(from)) return refused({});
  const auto header_bytes = load_le<std::uint64_t>(from.bytes.data());
  if (header_bytes > limits.header_bytes)
    return refused("not read as safetensors: a header of " + std::to_string(header_bytes) +
                   " bytes is too large");
  const std::uint64_t start = size_bytes + header_bytes;
  if (from.total && start > *from.total)
    return refused("not read as safetensors: the file ends within its header");
  if (start > from.bytes.size()) return probe_result::ask_for(start);
  try {
    return probe_result::decide(read(from, header_bytes));
  } catch (const error& e) {
    std::string reason = std::string("not read as safetensors: ") + e.what();
    if (e.offset() != error::no_offset) reason += " at byte " + std::to_string(e.offset());
    return refused(std::move(reason));
  }
}

}  // namespace lmzip::tensors
