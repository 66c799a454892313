#include "formats/tensors/npy_descr.h"

#include <algorithm>
#include <array>

#include "formats/tensors/arithmetic.h"
#include "lmzip/error.h"

namespace lmzip::tensors {
namespace {

constexpr unsigned deepest_record = 32;
/// Records and texts may be long; planes of more bytes than this are of no use to anybody.
constexpr std::uint64_t longest_record = std::uint64_t{1} << 16;

[[noreturn]] void refuse(const char* what) { throw error(errc::damaged, what); }

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// An element: a number, or a record of several.
struct element {
  dtype type = dtype::bytes;
  std::uint64_t bytes = 0;
};

std::uint64_t product_within(std::uint64_t a, std::uint64_t b) {
  const auto product = product_of(a, b);
  if (!product) refuse("the array is too large");
  return *product;
}

struct number_type {
  char kind;
  std::uint64_t bytes;
  dtype type;
};

constexpr std::array<number_type, 14> number_types = {{
    {'b', 1, dtype::boolean},
    {'i', 1, dtype::i8},
    {'i', 2, dtype::i16},
    {'i', 4, dtype::i32},
    {'i', 8, dtype::i64},
    {'u', 1, dtype::u8},
    {'u', 2, dtype::u16},
    {'u', 4, dtype::u32},
    {'u', 8, dtype::u64},
    {'f', 2, dtype::f16},
    {'f', 4, dtype::f32},
    {'f', 8, dtype::f64},
    {'c', 8, dtype::c64},
    {'c', 16, dtype::c128},
}};

/// Reads a word such as "<f4", "|S12", ">M8[ns]".
element read_type_word(std::string_view word) {
  char order = '<';
  if (!word.empty() && (word[0] == '<' || word[0] == '>' || word[0] == '|' || word[0] == '=')) {
    order = word[0];
    word.remove_prefix(1);
  }
  if (word.empty()) refuse("the type is empty");
  const char kind = word[0];
  if (kind == 'O') refuse("the array holds Python objects");
  std::size_t at = 1;
  std::uint64_t count = 0;
  for (; at < word.size() && is_digit(word[at]); ++at) {
    count = count * 10 + static_cast<std::uint64_t>(word[at] - '0');
    if (count > longest_record) refuse("the elements are too large");
  }
  const bool has_unit = (kind == 'M' || kind == 'm') && at < word.size() && word[at] == '[';
  if (at == 1 || (at < word.size() && !has_unit)) refuse("the type is not known");
  if (std::string_view("biufcSaUVMm").find(kind) == std::string_view::npos)
    refuse("the type is not known");
  element result{dtype::bytes, kind == 'U' ? 4 * count : count};
  const auto known =
      std::find_if(number_types.begin(), number_types.end(),
                   [&](const number_type& t) { return t.kind == kind && t.bytes == count; });
  if (known != number_types.end() && (order != '>' || count == 1)) result.type = known->type;
  return result;
}

class literal_reader {
 public:
  explicit literal_reader(std::string_view text) : text_(text) {}

  tensor read() {
    bool has_type = false;
    bool has_order = false;
    bool has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = read_string();
      expect(':');
      if (key == "descr" && !has_type) {
        has_type = true;
        skip_space();
        const std::size_t start = position_;
        element_ = read_descr(0);
        array_.type_name = type_name(text_.substr(start, position_ - start));
      } else if (key == "fortran_order" && !has_order) {
        has_order = true;
        is_fortran_ = read_bool();
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        array_.shape = read_sizes();
      } else {
        refuse("the header has a key that is not known");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (position_ != text_.size()) refuse("something follows the header");
    if (!has_type || !has_order || !has_shape) refuse("the header lacks a key");
    finish();
    return std::move(array_);
  }

 private:
  void finish() {
    const auto elements = elements_of(array_.shape);
    if (!elements) refuse("the array is too large");
    array_.type = element_.type;
    array_.bytes = product_within(*elements, element_.bytes);
    array_.record_bytes = static_cast<std::uint32_t>(std::max<std::uint64_t>(element_.bytes, 1));
    // In memory such an array is one of the reversed shape.
    if (is_fortran_) std::reverse(array_.shape.begin(), array_.shape.end());
  }

  static std::string type_name(std::string_view descr) {
    if (descr.front() != '\'' && descr.front() != '"') return "record";
    return std::string(descr.substr(1, descr.size() - 2));
  }

  void skip_space() noexcept {
    while (position_ < text_.size()) {
      const char c = text_[position_];
      if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return;
      ++position_;
    }
  }

  char next() {
    skip_space();
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  bool accept(char c) {
    if (next() != c || position_ == text_.size()) return false;
    ++position_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) refuse("the header is no description of an array");
  }

  std::string_view read_string() {
    const char quote = next();
    if (quote != '\'' && quote != '"') refuse("the header is no description of an array");
    const std::size_t start = ++position_;
    const std::size_t end = text_.find(quote, start);
    if (end == text_.npos) refuse("a text in the header does not end");
    const std::string_view inside = text_.substr(start, end - start);
    if (inside.find_first_of("\\\n") != inside.npos) refuse("a text in the header has an escape");
    position_ = end + 1;
    return inside;
  }

  bool read_bool() {
    skip_space();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(position_).starts_with(word)) continue;
      position_ += word.size();
      return word == "True";
    }
    refuse("the order is neither True nor False");
  }

  std::uint64_t read_size() {
    if (!is_digit(next())) refuse("a size is no integer of 0 or more");
    std::uint64_t value = 0;
    while (position_ < text_.size() && is_digit(text_[position_])) {
      const auto next_value =
          sum_of(product_within(value, 10), static_cast<std::uint64_t>(text_[position_] - '0'));
      if (!next_value) refuse("the array is too large");
      value = *next_value;
      ++position_;
    }
    // As Python 2 wrote long integers.
    if (position_ < text_.size() && text_[position_] == 'L') ++position_;
    return value;
  }

  /// Python asks for a comma after the only item of a tuple; so it can be told from a number.
  std::vector<std::uint64_t> read_sizes() {
    std::vector<std::uint64_t> sizes;
    expect('(');
    while (!accept(')')) {
      sizes.push_back(read_size());
      if (accept(',')) continue;
      if (sizes.size() == 1) refuse("the shape is no tuple");
      expect(')');
      break;
    }
    return sizes;
  }

  element read_descr(unsigned depth) {
    if (next() != '[') return read_type_word(read_string());
    if (depth == deepest_record) refuse("records are nested too deeply");
    ++position_;
    std::uint64_t bytes = 0;
    while (!accept(']')) {
      bytes += read_field(depth + 1);
      if (bytes > longest_record) refuse("the elements are too large");
      if (accept(',')) continue;
      expect(']');
      break;
    }
    return {dtype::bytes, bytes};
  }

  /// A field is (name, type) or (name, type, shape); its name may be (title, name).
  std::uint64_t read_field(unsigned depth) {
    expect('(');
    if (accept('(')) {
      read_string();
      expect(',');
      read_string();
      accept(',');
      expect(')');
    } else {
      read_string();
    }
    expect(',');
    std::uint64_t bytes = read_descr(depth).bytes;
    if (accept(',') && next() != ')') {
      if (next() == '(') {
        for (const std::uint64_t axis : read_sizes()) bytes = product_within(bytes, axis);
      } else {
        bytes = product_within(bytes, read_size());
      }
      accept(',');
    }
    expect(')');
    if (bytes > longest_record) refuse("the elements are too large");
    return bytes;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  tensor array_;
  element element_;
  bool is_fortran_ = false;
};

}  // namespace

tensor read_npy_literal(std::string_view text) { return literal_reader(text).read(); }

}  // namespace lmzip::tensors
