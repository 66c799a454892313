#include <algorithm>
#include <bit>
#include <charconv>
#include <memory>
#include <string>

#include "codec/brevis/formulas.h"
#include "codec/brevis/program_text.h"
#include "codec/brevis/text_form.h"
#include "codec/brevis/type_rules.h"
#include "lmzip/error.h"

namespace lmzip::codec::brevis {
namespace {

class parser {
 public:
  parser(std::string_view text, std::span<const tensor_type> earlier,
         std::span<const std::vector<std::byte>> payloads)
      : text_(text), earlier_(earlier), payloads_(payloads) {}

  node parse_all() {
    node program = parse(1);
    if (at_ != text_.size()) fail("something follows the program");
    if (next_payload_ != payloads_.size()) fail("not all coded bytes are used");
    return program;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw error(errc::usage, "a program is wrong at " + std::to_string(at_ + 1) + ": " + what);
  }

  /// Letters, digits and signs up to the next bracket or comma.
  std::string_view word() {
    const std::size_t end = std::min(text_.find_first_of("(),[]", at_), text_.size());
    const auto found = text_.substr(at_, end - at_);
    if (found.empty()) fail("a word is missing");
    at_ = end;
    return found;
  }

  bool takes(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!takes(c)) fail(std::string("no ") + c);
  }

  /// The comma before all words of a list but the first.
  void separate() {
    if (text_[at_ - 1] != '(') expect(',');
  }

  template <class Number>
  Number number(std::string_view digits, int base = 10) {
    Number value{};
    const auto [end, failed] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (failed != std::errc{} || end != digits.data() + digits.size())
      fail(std::string(digits) + " is no number");
    return value;
  }

  double real(std::string_view digits) {
    double value{};
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failed != std::errc{} || end != digits.data() + digits.size())
      fail(std::string(digits) + " is no number");
    return value;
  }

  dtype type() {
    std::string name(word());
    if (name == "bytes") return dtype::bytes;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    const auto found = dtype_named(name);
    if (!found) fail(name + " is no type");
    return *found;
  }

  tensor_type type_and_shape() {
    tensor_type result{type(), {}};
    expect(',');
    expect('[');
    while (!takes(']')) {
      if (!result.shape.empty()) expect(',');
      result.shape.push_back(number<std::uint64_t>(word()));
      if (result.shape.size() > max_rank) fail("too many axes");
    }
    if (!valid(result)) fail("an impossible shape");
    return result;
  }

  std::uint64_t bits(dtype of) {
    const std::string_view text = word();
    if (text.starts_with("0x")) return number<std::uint64_t>(text.substr(2), 16);
    if (of == dtype::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(real(text)));
    if (of == dtype::f64) return std::bit_cast<std::uint64_t>(real(text));
    return number<std::uint64_t>(text);
  }

  std::uint64_t literal(literal_kind kind, dtype of) {
    switch (kind) {
      case literal_kind::offset:
        return static_cast<std::uint64_t>(number<std::int64_t>(word()));
      case literal_kind::bits:
        return bits(of);
      case literal_kind::real:
        return std::bit_cast<std::uint64_t>(real(word()));
      case literal_kind::number:
        return is_real_float(of) ? std::bit_cast<std::uint64_t>(real(word()))
                                 : static_cast<std::uint64_t>(number<std::int64_t>(word()));
      case literal_kind::type:
        return static_cast<std::uint64_t>(type());
      default:
        return number<std::uint64_t>(word());
    }
  }

  void parse_name(node& whole) {
    const std::string_view name = word();
    for (unsigned i = 0; i < leaf_coder_count; ++i)
      if (name == name_of(static_cast<leaf_coder>(i))) {
        whole.literals.push_back(i);
        return;
      }
    for (unsigned i = 1; i < op_count; ++i)
      if (name == name_of(static_cast<op>(i))) {
        whole.what = static_cast<op>(i);
        return;
      }
    fail(std::string(name) + " is no operator");
  }

  void parse_literals(node& whole) {
    if (whole.what == op::formula) {
      separate();
      const formula_facts* const facts = find_formula(word());
      if (facts == nullptr) fail("no such formula");
      const auto& shape = whole.result.shape;
      whole.literals = {facts->id, shape.empty() ? 1 : shape.back()};
    } else {
      for (const literal_kind kind : fixed_literals(whole.what)) {
        separate();
        whole.literals.push_back(literal(kind, whole.result.type));
      }
    }
    for (std::size_t left = further_literals(whole.what, whole.literals); left > 0; --left) {
      separate();
      whole.literals.push_back(literal(further_kind(whole.what), whole.result.type));
    }
  }

  void parse_payload(node& whole) {
    separate();
    const auto bytes = number<std::uint64_t>(word());
    if (next_payload_ == payloads_.size() || payloads_[next_payload_].size() != bytes)
      fail("other coded bytes are given");
    whole.owner = std::make_shared<const std::vector<std::byte>>(payloads_[next_payload_++]);
    whole.payload = *whole.owner;
  }

  /// The result of an operator that does not show it.
  tensor_type result_of(const node& whole, dtype shown) const {
    if (whole.what == op::reference || whole.what == op::rows) {
      if (whole.literals[0] >= earlier_.size()) fail("no such tensor");
      const tensor_type& from = earlier_[static_cast<std::size_t>(whole.literals[0])];
      if (whole.what == op::reference) return vector_of(from.type, from.elements());
      return vector_of(from.type, product(whole.literals[1], whole.parts[0].result.elements()));
    }
    const tensor_type& first = whole.parts[0].result;
    std::uint64_t count = first.elements();
    switch (whole.what) {
      case op::tile:
      case op::broadcast:
        return vector_of(first.type, product(count, whole.literals[0]));
      case op::interleave:
        return vector_of(first.type, product(count, 2));
      case op::concat:
        count = 0;
        for (const node& part : whole.parts) count += part.result.elements();
        return vector_of(first.type, count);
      case op::grid:
      case op::palette:
        return vector_of(first.type, whole.parts[1].result.elements());
      case op::cast:
        return vector_of(shown, count);
      case op::view:
        return vector_of(shown, first.bytes() * 8 / bits_of(shown));
      default:
        return vector_of(first.type, count);
    }
  }

  std::uint64_t product(std::uint64_t a, std::uint64_t b) const {
    if (b != 0 && a > max_tensor_bytes / b) fail("too many numbers");
    return a * b;
  }

  node parse(std::size_t depth) {
    if (depth > max_depth) fail("the program is too deep");
    node whole;
    parse_name(whole);
    expect('(');
    dtype shown = dtype::bytes;
    if (shows_shape(whole.what)) {
      whole.result = type_and_shape();
    } else if (whole.what == op::cast || whole.what == op::view) {
      shown = whole.result.type = type();
    }
    if (whole.what != op::leaf) {
      // Numbers of scale2 and others are counted, so that their type need not be known yet.
      parse_literals(whole);
    }
    const std::size_t parts = count_parts(whole.what, whole.literals);
    if (parts > max_nodes) fail("too many parts");
    for (std::size_t i = 0; i < parts; ++i) {
      separate();
      whole.parts.push_back(parse(depth + 1));
    }
    if (takes_payload(whole)) parse_payload(whole);
    if (!shows_shape(whole.what)) whole.result = result_of(whole, shown);
    expect(')');
    return whole;
  }

  std::string_view text_;
  std::span<const tensor_type> earlier_;
  std::span<const std::vector<std::byte>> payloads_;
  std::size_t at_ = 0;
  std::size_t next_payload_ = 0;
};

}  // namespace

node parse_program(std::string_view text, std::span<const tensor_type> earlier,
                   std::span<const std::vector<std::byte>> payloads) {
  try {
    node program = parser(text, earlier, payloads).parse_all();
    check_program(program, program.result, earlier);
    return program;
  } catch (const error& e) {
    if (e.code() == errc::usage) throw;
    throw error(errc::usage, e.what());
  }
}

}  // namespace lmzip::codec::brevis
