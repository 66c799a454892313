// Patterns of what a walk leaves out.

#include <doctest/doctest.h>

#include <string>

#include "archive/tree/exclusions.h"
#include "archive/tree/name_pattern.h"
#include "lmzip/error.h"

using namespace lmzip;
using namespace lmzip::tree;

namespace {

bool excludes(const char* pattern, const char* path, bool is_directory = false) {
  exclusions all;
  all.add(pattern);
  return all.excludes(path, is_directory);
}

}  // namespace

TEST_CASE("names match patterns of the shell") {
  CHECK(matches_name("", ""));
  CHECK(matches_name("", "*"));
  CHECK(matches_name("abc", "a*c"));
  CHECK(matches_name("abcbc", "a*bc"));
  CHECK(matches_name("a*b", "a\\*b"));
  CHECK_FALSE(matches_name("axb", "a\\*b"));
  CHECK(matches_name("\xff", "?"));
  CHECK(matches_name("\xff", "[\xf0-\xff]"));
  CHECK(matches_name("b", "[a-c]"));
  CHECK_FALSE(matches_name("d", "[a-c]"));
  CHECK(matches_name("d", "[!a-c]"));
  CHECK(matches_name("]", "[]a]"));
  CHECK(matches_name("-", "[a-]"));
  CHECK(matches_name("[a", "[a"));
  CHECK(matches_name("[", "["));
  CHECK(matches_name("[!", "[!"));
  CHECK(matches_name("\\", "\\"));
  CHECK_FALSE(matches_name("abc", "ab"));
  CHECK_FALSE(matches_name("ab", "abc"));
}

TEST_CASE("a pattern with many stars takes no more than the product of the sizes") {
  std::string pattern;
  for (int i = 0; i < 1000; ++i) pattern += "a*";
  CHECK_FALSE(matches_name(std::string(100'000, 'a'), pattern + "b"));
}

TEST_CASE("patterns without a slash match names anywhere, those with one match paths") {
  CHECK(excludes("*.o", "a/b/c.o"));
  CHECK_FALSE(excludes("*.o", "a.o/c"));  // what a directory holds is never asked for
  CHECK(excludes("b/c", "a/b/c"));
  CHECK(excludes("b/c", "b/c"));
  CHECK_FALSE(excludes("b/c", "ab/c"));
  CHECK_FALSE(excludes("b/c", "b/x/c"));
  CHECK(excludes("/a/*/c", "a/b/c"));
  CHECK_FALSE(excludes("/a/*/c", "a/b/b/c"));
  CHECK_FALSE(excludes("/b", "a/b"));
  CHECK(excludes("/a/**/c", "a/c"));
  CHECK(excludes("/a/**/c", "a/b/b/c"));
  CHECK(excludes("a/**", "x/a/b"));
  CHECK_FALSE(excludes("a/**", "x/a", true));
  CHECK(excludes("**/a/**/b", "x/a/y/a/z/b"));
  CHECK(excludes("./a//b", "a/b"));
}

TEST_CASE("a slash at the end means directories only") {
  CHECK(excludes("build/", "a/build", true));
  CHECK_FALSE(excludes("build/", "a/build", false));
  CHECK(excludes("/build/", "build", true));
}

TEST_CASE("patterns come from a text, one a line") {
  exclusions all;
  all.add_lines("# comment\n\n*.tmp\r\n/a b\n\\#x");
  CHECK(all.excludes("x.tmp", false));
  CHECK(all.excludes("a b", false));
  CHECK(all.excludes("#x", false));
  CHECK_FALSE(all.excludes("comment", false));
}

TEST_CASE("a pattern without a name is refused") {
  for (const char* bad : {"", "/", "//", ".", "**", "/**/"}) {
    exclusions all;
    CHECK_THROWS_AS(all.add(bad), error);
  }
}
