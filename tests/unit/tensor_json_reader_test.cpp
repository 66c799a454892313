#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "formats/tensors/json_reader.h"
#include "lmzip/error.h"

using lmzip::error;
using lmzip::tensors::is_utf8;
using lmzip::tensors::json_reader;

namespace {

bool is_json(std::string_view text) {
  try {
    json_reader reader(text);
    reader.skip_value();
    reader.finish();
    return true;
  } catch (const error& e) {
    CHECK(e.code() == lmzip::errc::damaged);
    CHECK(e.offset() <= text.size());
    return false;
  }
}

std::string string_in(std::string_view text) {
  std::string out;
  json_reader(text).read_string(out);
  return out;
}

std::string repeated(std::string_view part, unsigned count) {
  std::string out;
  for (unsigned i = 0; i < count; ++i) out += part;
  return out;
}

}  // namespace

TEST_CASE("JSON texts of every kind are read") {
  for (const char* text :
       {"0", "-0", "10", "1.5", "-1.25e+10", "1E5", "0e0", "true", "false", "null", "\"\"", "[]",
        "{}", "[1,2 , 3]", " {\t\"a\" :\r\n[ ] , \"b\":{\"c\":null}} ", "\"\\u00e9\\n\\/\""})
    CHECK_MESSAGE(is_json(text), text);
}

TEST_CASE("texts that are not JSON to the letter are refused") {
  for (const char* text :
       {"",           " ",     "01",        "-",         "-01",         "+1",      ".5",
        "1.",         "1e",    "1e+",       "0x10",      "nul",         "True",    "'a'",
        "\"a",        "\"\\",  "\"\\x\"",   "\"\\u12\"", "\"\\u12g4\"", "[",       "[1",
        "[1,",        "[1,]",  "[,1]",      "[1 2]",     "{",           "{\"a\"",  "{\"a\":",
        "{\"a\":1,}", "{1:2}", "{\"a\" 1}", "{,}",       "]",           "}",       "{]",
        "[}",         "1 2",   "[] x",      "NaN",       "Infinity",    "// a\n1", "\"a\nb\"",
        "\"\x01\""})
    CHECK_FALSE_MESSAGE(is_json(text), text);
  CHECK_FALSE(is_json(std::string_view("1\0", 2)));
  CHECK_FALSE(is_json(std::string_view("\0", 1)));
  CHECK_FALSE(is_json(std::string_view("[\0]", 3)));
  CHECK_FALSE(is_json("\xef\xbb\xbf{}"));
}

TEST_CASE("JSON is read 127 levels deep and no deeper") {
  CHECK(is_json(repeated("[", 127) + repeated("]", 127)));
  CHECK_FALSE(is_json(repeated("[", 128) + repeated("]", 128)));
  CHECK(is_json(repeated("{\"a\":", 127) + "1" + repeated("}", 127)));
  CHECK_FALSE(is_json(repeated("{\"a\":", 1000000)));
}

TEST_CASE("escapes in JSON strings become UTF-8") {
  CHECK(string_in("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\"") == "a\"\\/\b\f\n\r\t");
  CHECK(string_in("\"\\u0041\\u00e9\\u20AC\"") == "A\u00e9\u20ac");
  CHECK(string_in("\"\\ud83d\\ude00\"") == "\U0001f600");
  CHECK(string_in("\"\\u0000\"") == std::string(1, '\0'));
  for (const char* half : {"\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83d\\u0041\"", "\"\\ud83dx\"",
                           "\"\\ud83d\\ud83d\"", "\"\\ud83d\\"})
    CHECK_THROWS_AS(string_in(half), error);
}

TEST_CASE("sizes in JSON are integers below 2^64") {
  const auto size_in = [](std::string_view text) {
    json_reader reader(text);
    const auto size = reader.read_unsigned();
    reader.finish();
    return size;
  };
  CHECK(size_in("0") == 0);
  CHECK(size_in("18446744073709551615") == ~std::uint64_t{0});
  for (const char* text : {"18446744073709551616", "99999999999999999999999", "-1", "-0", "1.0",
                           "1e0", "01", "00", "\"1\"", "true", "", "1x"})
    CHECK_THROWS_AS_MESSAGE(size_in(text), error, text);
}

TEST_CASE("UTF-8 is told from other bytes") {
  CHECK(is_utf8(""));
  CHECK(is_utf8("plain text, longer than eight bytes"));
  CHECK(is_utf8("\u00e9\u20ac\U0001f600 \u00e9 and more, \U0010ffff"));
  for (const char* bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3(", "\xe0\x80\x80",
                          "\xe2\x82", "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf0\x9f\x98",
                          "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "eight ok\xe9"})
    CHECK_FALSE(is_utf8(bad));
}
