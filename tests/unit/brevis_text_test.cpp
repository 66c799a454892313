// The textual form of programs: there and back, and what is refused.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "brevis_support.h"
#include "codec/brevis/block_payload.h"
#include "codec/brevis/brevis_encoder.h"
#include "codec/brevis/program_text.h"
#include "lmzip/error.h"

using namespace lmzip;
using namespace lmzip::test;
using namespace lmzip::codec::brevis;

namespace {

void collect_payloads(const node& program, std::vector<std::vector<std::byte>>& payloads) {
  for (const node& part : program.parts) collect_payloads(part, payloads);
  const bool rest = program.what == op::leaf &&
                    program.literals[0] == static_cast<std::uint64_t>(leaf_coder::rest);
  if ((program.what == op::leaf && !rest) || program.what == op::ulp || program.what == op::delta)
    payloads.emplace_back(program.payload.begin(), program.payload.end());
}

bool same(const node& a, const node& b) {
  if (a.what != b.what || a.result.type != b.result.type ||
      a.result.elements() != b.result.elements() || a.literals != b.literals ||
      a.parts.size() != b.parts.size() ||
      !std::equal(a.payload.begin(), a.payload.end(), b.payload.begin(), b.payload.end()))
    return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    if (!same(a.parts[i], b.parts[i])) return false;
  return true;
}

const std::vector<tensor_type> earlier = {{dtype::f32, {6, 8}}, {dtype::i64, {4}}};

void check_text(const node& program) {
  const std::string text = to_text(program, program.result);
  CAPTURE(text);
  std::vector<std::vector<std::byte>> payloads;
  collect_payloads(program, payloads);
  CHECK(same(parse_program(text, earlier, payloads), program));
}

std::string refusal(const char* text) {
  try {
    parse_program(text, earlier, {});
  } catch (const error& e) {
    CHECK(e.code() == errc::usage);
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every operator says in words what it is, and is read again") {
  const auto numbers = [](dtype type, std::uint64_t count) {
    return leaf(vector_of(type, count), leaf_coder::raw,
                std::vector<std::byte>(count * bits_of(type) / 8, std::byte{1}));
  };
  const tensor_type f32 = {dtype::f32, {4, 6}};
  for (const node& program :
       {constant(f32, 0x3f800000),
        constant(f32, 0x7fc00001),
        constant({dtype::bf16, {3}}, 0x3f80),
        ramp({dtype::i32, {9}}, std::int64_t{-3}, std::int64_t{2}),
        ramp(f32, 0.25, -1.5),
        tile(numbers(dtype::u8, 5), 3),
        broadcast(numbers(dtype::u8, 6), 4, 2),
        interleave(numbers(dtype::f16, 3), numbers(dtype::f16, 3)),
        band(dtype::boolean, 5, 7, -5, 0, 1, 0),
        reference(earlier, 0),
        rows(earlier, 0, 8, numbers(dtype::u8, 3)),
        block(earlier, 0, 8, 1, 2, 3, 4),
        concat({numbers(dtype::f32, 4), numbers(dtype::f32, 2)}, 2),
        transpose(numbers(dtype::f32, 12), 3, 4),
        reverse(numbers(dtype::f32, 12), 4, 3),
        negate(numbers(dtype::f32, 2)),
        scale2(numbers(dtype::f32, 2), -7),
        cast(dtype::f32, numbers(dtype::bf16, 5)),
        grid(numbers(dtype::f32, 2), numbers(dtype::i8, 8), 4),
        palette(numbers(dtype::f32, 3), numbers(dtype::u8, 9)),
        sparse({dtype::f32, {12}}, numbers(dtype::u8, 2), numbers(dtype::f32, 2)),
        add(numbers(dtype::f32, 4), numbers(dtype::f32, 4)),
        view({dtype::f32, {2}}, numbers(dtype::u8, 8)),
        rest({dtype::f32, {7}}),
        formula({dtype::f32, {1, 32}}, 0, {10000, 32, 1, 0, 0}),
        ulp(numbers(dtype::f32, 4), std::vector<std::byte>(9)),
        delta({dtype::f32, {48}}, earlier, 0, std::vector<std::byte>(9))})
    check_text(program);
}

TEST_CASE("what the search finds is read again") {
  std::vector<std::uint64_t> positions(64);
  for (std::size_t i = 0; i < 64; ++i) positions[i] = i;
  const leaf_coding leaves(search_effort::full);
  program_search search({.effort = search_effort::full}, leaves);
  for (const test_tensor& t : {weight_tensor(8, 16, 1), tensor_of(dtype::i64, {64}, positions)}) {
    const auto found = search.find(t.type, {}, t.bytes);
    if (found) check_text(found->program);
  }
}

TEST_CASE("programs against the rules are refused, and it is said where") {
  CHECK(refusal("ramp(i32,[9],0,1)") == "");
  CHECK(refusal("ramp(i32,[9],0)") != "");
  CHECK(refusal("rump(i32,[9],0,1)") == "a program is wrong at 5: rump is no operator");
  CHECK(refusal("ramp(i33,[9],0,1)").find("I33 is no type") != std::string::npos);
  CHECK(refusal("ramp(i32,[9],0,1))") != "");
  CHECK(refusal("ramp(i32,[9],x,1)").find("x is no number") != std::string::npos);
  CHECK(refusal("ref(2)").find("no such tensor") != std::string::npos);
  CHECK(refusal("raw(f32,[1],4)").find("other coded bytes") != std::string::npos);
  CHECK(refusal("formula(f32,[1,32],nothing,1)").find("no such formula") != std::string::npos);
  CHECK(refusal("tile(ref(0),99999999999999)") != "");
  CHECK(refusal("neg(neg(neg(neg(neg(neg(neg(neg(ref(0)))))))))").find("too deep") !=
        std::string::npos);
  CHECK(refusal("") != "");
}
