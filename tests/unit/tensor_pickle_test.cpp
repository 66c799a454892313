#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "formats/tensors/pickle_scan.h"
#include "tensor_support.h"

using namespace tensor_support;

namespace {

std::string text(std::string_view value) { return "X" + u32(value.size()) + std::string(value); }

std::string storage(std::string_view type, std::string_view key, std::string_view elements) {
  return "(" + text("storage") + "ctorch\n" + std::string(type) + "\n" + text(key) + text("cpu") +
         std::string(elements) + "tQ";
}

/// A tensor of one axis.
std::string row(std::string_view key, unsigned elements, unsigned of = 0, unsigned first = 0,
                unsigned stride = 1) {
  return "ctorch._utils\n_rebuild_tensor_v2\n(" +
         storage("FloatStorage", key, "M" + u16(of == 0 ? elements : of)) + "M" + u16(first) +
         "(M" + u16(elements) + "t(M" + u16(stride) + "t\x89NtR";
}

std::vector<pickled_storage> scan(const std::string& pickle) {
  return scan_pickle(bytes_of(pickle));
}

std::string name_in(const std::string& pickle) {
  const auto storages = scan(pickle);
  REQUIRE(storages.size() == 1);
  return storages[0].name;
}

}  // namespace

TEST_CASE("tensors in a pickle are called by the keys that lead to them") {
  CHECK(name_in("\x80\x02}(" + text("w") + row("0", 4) + "u.") == "w");
  CHECK(name_in("\x80\x02}" + text("w") + row("0", 4) + "s.") == "w");
  CHECK(name_in("}" + text("model") + "}" + text("a.b") + row("0", 4) + "ss.") == "model.a.b");
  CHECK(name_in("}" + text("state") + "}K\x07}" + text("v") + row("0", 4) + "sss.") == "state.7.v");
  CHECK(name_in("](" + row("0", 4) + "e.") == "0");
  CHECK(name_in("]N" + std::string("a") + row("0", 4) + "a.") == "1");
  CHECK(name_in("(" + text("w") + row("0", 4) + "d.") == "w");
  CHECK(name_in("N" + row("0", 4) + "\x86.") == "1");
  // An ordered dictionary, and an object with a state.
  CHECK(name_in("ccollections\nOrderedDict\n)R(" + text("w") + row("0", 4) + "u}" + text("_m") +
                "Nsb.") == "w");
  CHECK(name_in("cmy\nModule\n)\x81}" + text("w") + row("0", 4) + "sb.") == "w");
}

TEST_CASE("a parameter is the tensor that it is made of") {
  CHECK(name_in("}" + text("w") + "ctorch._utils\n_rebuild_parameter\n(" + row("0", 4) +
                "\x88NtRs.") == "w");
}

TEST_CASE("values that are met again by their number count") {
  CHECK(name_in("}" + text("w") + "q" + std::string(1, '\0') + row("0", 4) + "q\x01s0h\x01.")
            .empty());
  CHECK(name_in(row("0", 4) + "\x94" + "0}" + text("w") + "h" + std::string(1, '\0') + "s.") ==
        "w");
  CHECK(name_in(row("0", 4) + "r" + u32(0) + "0}" + text("w") + "j" + u32(0) + "s.") == "w");
}

TEST_CASE("a tensor that is only a part of its storage gives it no name") {
  CHECK(name_in("}" + text("w") + row("0", 4, 8) + "s.").empty());
  CHECK(name_in("}" + text("w") + row("0", 4, 4, 1) + "s.").empty());
  const auto spread = scan("}" + text("w") + row("0", 4, 4, 0, 2) + "s.");
  REQUIRE(spread.size() == 1);
  CHECK(spread[0].name == "w");
  CHECK_FALSE(spread[0].shape);
}

TEST_CASE("storages have the type of their class") {
  const auto type_in = [](std::string_view name) {
    const auto storages = scan(storage(name, "0", "K\x01") + ".");
    REQUIRE(storages.size() == 1);
    return storages[0].type;
  };
  CHECK(type_in("BFloat16Storage") == dtype::bf16);
  CHECK(type_in("DoubleStorage") == dtype::f64);
  CHECK(type_in("BoolStorage") == dtype::boolean);
  CHECK(type_in("ComplexFloatStorage") == dtype::c64);
  CHECK_FALSE(type_in("UntypedStorage"));
  CHECK_FALSE(type_in("FloatTensor"));
}

TEST_CASE("a storage without a type has that of its tensor") {
  const auto storages = scan("}" + text("w") + "ctorch._utils\n_rebuild_tensor_v3\n(" +
                             storage("UntypedStorage", "0", "K\x08") + "K" + std::string(1, '\0') +
                             "K\x04\x85K\x01\x85\x89Nctorch\nuint16\ntRs.");
  REQUIRE(storages.size() == 1);
  CHECK(storages[0].type == dtype::u16);
  CHECK(storages[0].shape == std::vector<std::uint64_t>{4});
}

TEST_CASE("numbers of pickles have many forms") {
  const auto elements = [](const std::string& number) {
    const auto storages = scan(storage("ByteStorage", "0", number) + ".");
    return storages.empty() ? std::uint64_t{0} : storages[0].elements;
  };
  CHECK(elements("K\x05") == 5);
  CHECK(elements("M" + u16(500)) == 500);
  CHECK(elements("J" + u32(70000)) == 70000);
  CHECK(elements("I12\n") == 12);
  CHECK(elements("\x8a\x05" + le(std::uint64_t{1} << 33, 5)) == std::uint64_t{1} << 33);
  CHECK(elements("\x8b" + u32(5) + le(std::uint64_t{1} << 33, 5)) == std::uint64_t{1} << 33);
  CHECK(elements("L12L\n") == 12);
  CHECK(elements("N") == 0);
}

TEST_CASE("texts and globals of pickles have many forms") {
  const auto named = [](const std::string& key) { return name_in("}" + key + row("0", 4) + "s."); };
  CHECK(named("Vw\n") == "w");
  CHECK(named("\x8c\x01w") == "w");
  CHECK(named("\x8d" + u64(1) + "w") == "w");
  CHECK(named("U\x01w") == "w");
  const auto storages = scan("(" + text("storage") + text("torch") + text("HalfStorage") + "\x93" +
                             text("0") + text("cpu") + "K\x01tQ.");
  REQUIRE(storages.size() == 1);
  CHECK(storages[0].type == dtype::f16);
}

TEST_CASE("what was seen before an opcode that is not known counts") {
  const auto storages = scan(storage("HalfStorage", "0", "K\x01") + "\xff");
  REQUIRE(storages.size() == 1);
  CHECK(storages[0].type == dtype::f16);
  CHECK(storages[0].name.empty());
}

TEST_CASE("pickles that do not fit end the scan") {
  for (const std::string& bad : {std::string("."),    std::string("("),
                                 std::string("(."),   std::string("t"),
                                 std::string("u"),    std::string("}Nu"),
                                 std::string("}(Nu"), std::string("s"),
                                 std::string("Ns"),   std::string("R"),
                                 std::string("Q"),    std::string("(Q"),
                                 std::string("b"),    std::string("q"),
                                 std::string("q\1"),  std::string("Nq\1"),
                                 std::string("h\1"),  std::string("X"),
                                 "X" + u32(~0U),      "\x8d" + u64(~std::uint64_t{0}),
                                 "Nr" + u32(~0U),     std::string("ctorch"),
                                 std::string("\x87"), std::string("1"),
                                 std::string("0"),    std::string("2")})
    CHECK(scan(bad).empty());
}

TEST_CASE("deep and shared containers of a pickle take no more time than their bytes") {
  std::string deep;
  for (unsigned i = 0; i < 100000; ++i) deep += "](";
  CHECK(scan(deep).empty());
  // Each list holds the one before it twice: 2^200 paths, and each is gone once.
  std::string shared = "]q" + std::string(1, '\0') + row("0", 4) + "a0";
  for (unsigned i = 0; i < 200; ++i)
    shared += "]q" + std::string(1, static_cast<char>(i + 1)) + "h" +
              std::string(1, static_cast<char>(i)) + "ah" + std::string(1, static_cast<char>(i)) +
              "a0";
  CHECK(scan(shared + "h\xc8.").size() == 1);
  // The same with tuples.
  std::string tuples = ")\x94";
  for (unsigned i = 0; i < 200; ++i)
    tuples += "h" + std::string(1, static_cast<char>(i)) + "2\x86\x94";
  scan(tuples + ".");
}

TEST_CASE("long paths in a pickle give no name") {
  CHECK(name_in("}" + text(std::string(1000, 'k')) + row("0", 4) + "s.").size() == 1000);
  CHECK(name_in("}" + text(std::string(2000, 'k')) + row("0", 4) + "s.").empty());
}
