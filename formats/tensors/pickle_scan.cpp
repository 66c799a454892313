#include "formats/tensors/pickle_scan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "formats/tensors/arithmetic.h"
#include "formats/tensors/pickle_machine.h"

namespace lmzip::tensors {
namespace {

using kind = pickle_value::kind;

/// Longer and deeper paths than these name no tensor.
constexpr std::size_t longest_path = 1024;
constexpr std::size_t deepest_path = 64;

struct type_word {
  std::string_view name;
  dtype type;
};

/// Classes of storages, and the types that the third version of tensors names.
constexpr std::array<type_word, 24> type_words = {{
    {"FloatStorage", dtype::f32},
    {"HalfStorage", dtype::f16},
    {"BFloat16Storage", dtype::bf16},
    {"DoubleStorage", dtype::f64},
    {"ByteStorage", dtype::u8},
    {"CharStorage", dtype::i8},
    {"ShortStorage", dtype::i16},
    {"IntStorage", dtype::i32},
    {"LongStorage", dtype::i64},
    {"BoolStorage", dtype::boolean},
    {"ComplexFloatStorage", dtype::c64},
    {"ComplexDoubleStorage", dtype::c128},
    {"QInt8Storage", dtype::i8},
    {"QUInt8Storage", dtype::u8},
    {"QInt32Storage", dtype::i32},
    {"uint16", dtype::u16},
    {"uint32", dtype::u32},
    {"uint64", dtype::u64},
    {"float8_e4m3fn", dtype::f8_e4m3},
    {"float8_e5m2", dtype::f8_e5m2},
    {"float8_e4m3fnuz", dtype::f8_e4m3fnuz},
    {"float8_e5m2fnuz", dtype::f8_e5m2fnuz},
    {"float8_e8m0fnu", dtype::f8_e8m0},
    {"bfloat16", dtype::bf16},
}};

std::optional<dtype> type_of(std::string_view word) noexcept {
  for (const type_word& known : type_words)
    if (known.name == word) return known.type;
  return std::nullopt;
}

/// Sizes of a tuple; nothing if it holds something else.
std::optional<std::vector<std::uint64_t>> sizes_of(std::span<const pickle_value> items) {
  std::vector<std::uint64_t> sizes;
  for (const pickle_value& item : items) {
    if (item.is != kind::number) return std::nullopt;
    sizes.push_back(item.number);
  }
  return sizes;
}

bool is_contiguous(std::span<const std::uint64_t> shape, std::span<const std::uint64_t> strides) {
  if (shape.size() != strides.size()) return false;
  std::uint64_t expected = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && strides[i] != expected) return false;
    expected *= shape[i];  // a divisor of the number of elements, which fits
  }
  return true;
}

/// Follows the mappings of a pickle and gives each storage the name of its first whole tensor.
class namer {
 public:
  namer(const pickle_machine& machine, std::vector<pickled_storage>& storages)
      : machine_(machine), storages_(storages) {
    for (const auto& e : machine.entries()) entries_.push_back(&e);
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const auto* a, const auto* b) { return a->mapping < b->mapping; });
    if (!entries_.empty())
      is_visited_.resize(static_cast<std::size_t>(entries_.back()->mapping) + 1);
  }

  void name_all() {
    if (machine_.result()) visit(*machine_.result(), 0);
  }

 private:
  /// Each mapping is gone through once, wherever it is met first.
  void visit(const pickle_value& value, std::size_t depth) {
    if (value.is == kind::view) return name(value);
    if (value.is == kind::tuple) return visit_tuple(value, depth);
    if (value.is != kind::mapping || depth == deepest_path) return;
    if (value.number >= is_visited_.size()) return;  // it and those after it are empty
    const auto number = static_cast<std::size_t>(value.number);
    if (is_visited_[number]) return;
    is_visited_[number] = true;
    auto next = std::lower_bound(
        entries_.begin(), entries_.end(), value.number,
        [](const auto* entry, std::uint64_t wanted) { return entry->mapping < wanted; });
    for (std::uint64_t index = 0; next != entries_.end() && (*next)->mapping == number; ++next)
      visit_under((*next)->key, index++, (*next)->value, depth);
  }

  void visit_tuple(const pickle_value& tuple, std::size_t depth) {
    if (depth == deepest_path) return;
    std::uint64_t index = 0;
    for (const pickle_value& item : machine_.items_of(tuple)) {
      if (budget_ == 0) return;
      --budget_;
      visit_under({}, index++, item, depth);
    }
  }

  void visit_under(const pickle_value& key, std::uint64_t index, const pickle_value& value,
                   std::size_t depth) {
    const std::size_t length = path_.size();
    if (key.is != kind::mark) {
      const std::string number = key.is == kind::text
                                     ? std::string()
                                     : std::to_string(key.is == kind::number ? key.number : index);
      const std::string_view word = key.is == kind::text ? key.text : std::string_view(number);
      if (length + 1 + word.size() > longest_path) return;
      if (length > 0) path_ += '.';
      path_ += word;
    }
    visit(value, depth + 1);
    path_.resize(length);
  }

  void name(const pickle_value& value) {
    const pickle_machine::view& view = machine_.views()[static_cast<std::size_t>(value.number)];
    pickled_storage& storage = storages_[view.storage];
    if (!storage.type) storage.type = type_of(view.type);
    const auto shape = sizes_of(machine_.items_of(view.shape));
    const auto strides = sizes_of(machine_.items_of(view.strides));
    if (!storage.name.empty() || !shape || !strides || view.first != 0) return;
    std::uint64_t elements = storage.elements;
    if (machine_.storages()[view.storage].type == "UntypedStorage" && storage.type)
      elements /= std::max(bits_of(*storage.type) / 8, 1U);
    if (elements_of(*shape) != elements) return;
    storage.name = path_;
    if (is_contiguous(*shape, *strides)) storage.shape = *shape;
  }

  const pickle_machine& machine_;
  std::vector<pickled_storage>& storages_;
  std::vector<const pickle_machine::entry*> entries_;
  std::vector<bool> is_visited_;
  std::string path_;
  /// Items of tuples that are looked at; the same tuple may be met many times.
  std::uint64_t budget_ = 1 << 20;
};

}  // namespace

std::vector<pickled_storage> scan_pickle(std::span<const std::byte> pickle) {
  pickle_machine machine(pickle);
  machine.run();
  std::vector<pickled_storage> storages;
  for (const auto& s : machine.storages()) {
    pickled_storage known;
    known.key = s.key;
    known.type = type_of(s.type);
    known.elements = s.elements;
    known.is_untyped = !known.type;
    storages.push_back(std::move(known));
  }
  namer(machine, storages).name_all();
  return storages;
}

}  // namespace lmzip::tensors
