#include "formats/tensors/json_reader.h"

#include <cstring>

#include "core/endian.h"
#include "lmzip/error.h"

namespace lmzip::tensors {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Bytes of the UTF-8 sequence at the front of `text`; 0 if there is none.
std::size_t utf8_sequence(std::string_view text) noexcept {
  const auto byte = [text](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto follows = [byte](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return follows(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const unsigned low = lead == 0xe0 ? 0xa0 : 0x80;   // no overlong form
    const unsigned high = lead == 0xed ? 0x9f : 0xbf;  // no surrogate
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const unsigned low = lead == 0xf0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xf4 ? 0x8f : 0xbf;  // not past U+10FFFF
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

void append_utf8(std::string& out, unsigned code) {
  const auto put = [&out](unsigned byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.size() - at >= 8 &&
        (load_le<std::uint64_t>(text.data() + at) & 0x8080808080808080) == 0) {
      at += 8;
      continue;
    }
    const std::size_t count = utf8_sequence(text.substr(at));
    if (count == 0) return false;
    at += count;
  }
  return true;
}

void json_reader::fail(const char* what) const {
  throw error(errc::damaged, what, base_ + position_);
}

void json_reader::skip_space() noexcept {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return;
    ++position_;
  }
}

char json_reader::next() {
  skip_space();
  return at();
}

void json_reader::expect(char c) {
  if (next() != c || position_ == text_.size()) {
    const char what[] = {'\'', c, '\'', ' ', 'i', 's', ' ', 'm', 'i', 's', 's', 'i', 'n', 'g', 0};
    fail(what);
  }
  ++position_;
}

void json_reader::expect_word(std::string_view word) {
  skip_space();
  if (!text_.substr(position_).starts_with(word)) fail("not a JSON value");
  position_ += word.size();
}

void json_reader::enter() {
  if (depth_ == max_depth) fail("nested too deeply");
  first_[++depth_] = true;
}

/// Passes over the comma before an item; false if `end` comes instead.
bool json_reader::next_item(char end) {
  const char c = next();
  if (c == end) {
    ++position_;
    --depth_;
    return false;
  }
  if (!first_[depth_]) expect(',');
  first_[depth_] = false;
  return true;
}

void json_reader::enter_object() {
  expect('{');
  enter();
}

bool json_reader::next_member(std::string& name) {
  if (!next_item('}')) return false;
  read_string(name);
  expect(':');
  return true;
}

void json_reader::enter_array() {
  expect('[');
  enter();
}

bool json_reader::next_element() { return next_item(']'); }

void json_reader::read_string(std::string& out) {
  out.clear();
  expect('"');
  for (;;) {
    const std::size_t start = position_;
    while (position_ < text_.size()) {
      const auto c = static_cast<unsigned char>(text_[position_]);
      if (c < 0x20 || c == '"' || c == '\\') break;
      ++position_;
    }
    out.append(text_, start, position_ - start);
    if (position_ == text_.size()) fail("a string does not end");
    const char c = text_[position_];
    if (c != '"' && c != '\\') fail("control character in a string");
    ++position_;
    if (c == '"') return;
    append_escape(out);
  }
}

void json_reader::append_escape(std::string& out) {
  const char c = at();
  if (c != 'u') {
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    const std::size_t which = letters.find(c);
    if (which == letters.npos || position_ == text_.size()) fail("unknown escape in a string");
    out.push_back(meanings[which]);
    ++position_;
    return;
  }
  ++position_;
  unsigned code = hex4();
  if (code >= 0xdc00 && code <= 0xdfff) fail("half of a surrogate pair");
  if (code >= 0xd800 && code <= 0xdbff) {
    if (!text_.substr(position_).starts_with("\\u")) fail("half of a surrogate pair");
    position_ += 2;
    const unsigned low = hex4();
    if (low < 0xdc00 || low > 0xdfff) fail("half of a surrogate pair");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  append_utf8(out, code);
}

unsigned json_reader::hex4() {
  unsigned code = 0;
  for (unsigned i = 0; i < 4; ++i, ++position_) {
    const char c = at();
    unsigned digit = 0;
    if (is_digit(c)) {
      digit = static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<unsigned>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<unsigned>(c - 'A') + 10;
    } else {
      fail("unknown escape in a string");
    }
    code = code << 4 | digit;
  }
  return code;
}

std::uint64_t json_reader::read_unsigned() {
  if (!is_digit(next())) fail("not an integer of 0 or more");
  if (at() == '0') {
    ++position_;
    if (is_digit(at())) fail("a number begins with 0");
  }
  std::uint64_t value = 0;
  while (is_digit(at())) {
    if (__builtin_mul_overflow(value, std::uint64_t{10}, &value) ||
        __builtin_add_overflow(value, static_cast<std::uint64_t>(at() - '0'), &value))
      fail("a number is too large");
    ++position_;
  }
  if (at() == '.' || at() == 'e' || at() == 'E') fail("not an integer of 0 or more");
  return value;
}

void json_reader::skip_digits() {
  if (!is_digit(at())) fail("not a number");
  while (is_digit(at())) ++position_;
}

void json_reader::skip_number() {
  if (at() == '-') ++position_;
  if (at() == '0') {
    ++position_;
    if (is_digit(at())) fail("a number begins with 0");
  } else {
    skip_digits();
  }
  if (at() == '.') {
    ++position_;
    skip_digits();
  }
  if (at() == 'e' || at() == 'E') {
    ++position_;
    if (at() == '+' || at() == '-') ++position_;
    skip_digits();
  }
}

void json_reader::skip_value() {
  switch (next()) {
    case '{':
      enter_object();
      while (next_member(skipped_)) skip_value();
      return;
    case '[':
      enter_array();
      while (next_element()) skip_value();
      return;
    case '"':
      return read_string(skipped_);
    case 't':
      return expect_word("true");
    case 'f':
      return expect_word("false");
    case 'n':
      return expect_word("null");
    default:
      if (at() != '-' && !is_digit(at())) fail("not a JSON value");
      return skip_number();
  }
}

void json_reader::finish() {
  skip_space();
  if (position_ != text_.size()) fail("something follows the JSON text");
}

}  // namespace lmzip::tensors
