#include "core/dtype.h"

#include <doctest/doctest.h>

using lmzip::dtype;

TEST_CASE("every type of a tensor has a name of its own and is found by it") {
  for (unsigned i = 1; i < lmzip::dtype_count; ++i) {
    const auto type = static_cast<dtype>(i);
    CHECK(lmzip::dtype_named(lmzip::name_of(type)) == type);
  }
  CHECK(lmzip::bits_of(dtype::f4) == 4);
  CHECK(lmzip::bits_of(dtype::f6_e3m2) == 6);
  CHECK(lmzip::bits_of(dtype::bf16) == 16);
  CHECK(lmzip::bits_of(dtype::c128) == 128);
}

TEST_CASE("other names, other cases and the word for no type are no types") {
  CHECK_FALSE(lmzip::dtype_named("bytes"));
  CHECK_FALSE(lmzip::dtype_named("bf16"));
  CHECK_FALSE(lmzip::dtype_named(""));
}
