#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lmzip::tensors {

/// True if `text` is UTF-8: no overlong forms, no surrogates, nothing past U+10FFFF.
bool is_utf8(std::string_view text) noexcept;

/// Reads one JSON text (RFC 8259) from front to back, as strictly as the reference reader of
/// safetensors does, and without keeping any of it: the caller asks for what it expects, and skips
/// the rest. Everything that is not so throws error(damaged) with the offset. Time is linear.
///
/// Arrays and objects may be nested 127 deep. The text must be UTF-8 (see is_utf8()); this is not
/// checked here.
class json_reader {
 public:
  static constexpr unsigned max_depth = 127;

  /// `base` is the position of `text` in the file, for error offsets.
  explicit json_reader(std::string_view text, std::uint64_t base = 0) : text_(text), base_(base) {}

  /// The first character of the next value: one of {["tfn-0123456789 if it is one at all.
  char next();

  void enter_object();
  /// Reads the next name and the colon into `name`; false at the end of the object, which it
  /// leaves.
  bool next_member(std::string& name);

  void enter_array();
  /// False at the end of the array, which it leaves.
  bool next_element();

  void read_string(std::string& out);
  /// An integer without sign, fraction and exponent, less than 2^64.
  std::uint64_t read_unsigned();
  void read_null() { expect_word("null"); }
  /// Passes over any value, which is checked all the same.
  void skip_value();
  /// Throws unless only white space is left.
  void finish();

 private:
  void skip_space() noexcept;
  void expect(char c);
  void expect_word(std::string_view word);
  bool next_item(char end);
  void enter();
  void append_escape(std::string& out);
  unsigned hex4();
  void skip_number();
  void skip_digits();
  char at() const noexcept { return position_ < text_.size() ? text_[position_] : '\0'; }
  [[noreturn]] void fail(const char* what) const;

  std::string_view text_;
  std::uint64_t base_;
  std::size_t position_ = 0;
  unsigned depth_ = 0;
  std::array<bool, max_depth + 1> first_ = {};  ///< no item of that depth was read yet
  std::string skipped_;
};

}  // namespace lmzip::tensors
