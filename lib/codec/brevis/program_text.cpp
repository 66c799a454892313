#include "codec/brevis/program_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "codec/brevis/formulas.h"
#include "codec/brevis/text_form.h"
#include "codec/brevis/type_rules.h"

namespace lmzip::codec::brevis {
namespace {

std::string lower_name(dtype type) {
  std::string name(lmzip::name_of(type));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return name;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ",") + std::to_string(shape[i]);
  return text + "]";
}

std::string real_text(double value) {
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string bits_text(dtype type, std::uint64_t bits) {
  // Numbers that are none have more than one form.
  if (type == dtype::f32) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isfinite(value)) return real_text(value);
  } else if (type == dtype::f64) {
    const auto value = std::bit_cast<double>(bits);
    if (std::isfinite(value)) return real_text(value);
  }
  if (is_integer(type) && bits < 1U << 31) return std::to_string(bits);
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), bits, 16).ptr;
  return "0x" + std::string(text.data(), end);
}

class writer {
 public:
  std::string write(const node& n, const tensor_type& shown) {
    const bool leaf = n.what == op::leaf;
    text_ += leaf ? name_of(static_cast<leaf_coder>(n.literals[0])) : name_of(n.what);
    text_ += '(';
    // Where parts do not tell the type, it stands first.
    if (shows_shape(n.what))
      add(lower_name(shown.type) + "," + shape_text(shape_of(n, shown)));
    else if (n.what == op::cast || n.what == op::view)
      add(lower_name(shown.type));
    if (!leaf) literals(n);
    for (const node& part : n.parts) {
      separate();
      write(part, part.result);
    }
    if (takes_payload(n)) add(std::to_string(n.payload.size()));
    text_ += ')';
    return text_;
  }

 private:
  /// Rows of a formula are part of what it says.
  static std::vector<std::uint64_t> shape_of(const node& n, const tensor_type& shown) {
    if (n.what != op::formula) return shown.shape;
    const std::uint64_t columns = n.literals[1];
    if (!shown.shape.empty() && shown.shape.back() == columns) return shown.shape;
    return {shown.elements() / columns, columns};
  }

  void separate() {
    if (text_.back() != '(') text_ += ',';
  }

  void add(const std::string& word) {
    separate();
    text_ += word;
  }

  void literals(const node& n) {
    const auto fixed = fixed_literals(n.what);
    for (std::size_t i = 0; i < n.literals.size(); ++i) {
      const literal_kind kind = i < fixed.size() ? fixed[i] : further_kind(n.what);
      if (n.what == op::formula && i == 0) {
        const formula_facts* const facts = find_formula(static_cast<unsigned>(n.literals[0]));
        add(facts ? std::string(facts->name) : "?");
      } else if (n.what == op::formula && i == 1) {
        continue;
      } else {
        add(literal(n, kind, n.literals[i]));
      }
    }
  }

  static std::string literal(const node& n, literal_kind kind, std::uint64_t value) {
    switch (kind) {
      case literal_kind::offset:
        return std::to_string(static_cast<std::int64_t>(value));
      case literal_kind::bits:
        return bits_text(n.result.type, value);
      case literal_kind::real:
        return real_text(std::bit_cast<double>(value));
      case literal_kind::number:
        return is_real_float(n.result.type) ? real_text(std::bit_cast<double>(value))
                                            : std::to_string(static_cast<std::int64_t>(value));
      case literal_kind::type:
        return lower_name(static_cast<dtype>(value));
      default:
        return std::to_string(value);
    }
  }

  std::string text_;
};

}  // namespace

std::string to_text(const node& program, const tensor_type& tensor) {
  return writer().write(program, tensor);
}

std::string to_text(const tensor_type& type) {
  return lower_name(type.type) + "," + shape_text(type.shape);
}

}  // namespace lmzip::codec::brevis
