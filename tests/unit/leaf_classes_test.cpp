#include "model/leaf_classes.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "lmzip/error.h"

using namespace lmzip;
using lmzip::model::leaf_classes;
using lmzip::model::token_tree;

TEST_CASE("classes are the subtrees that cutting the costliest leaves") {
  // A full tree of eight leaves; the second quarter is by far the heaviest.
  const std::array<std::uint8_t, 8> depths{3, 3, 3, 3, 3, 3, 3, 3};
  const std::array<std::uint64_t, 8> weights{1, 1, 50, 60, 1, 1, 1, 1};
  const leaf_classes classes(token_tree(depths), weights, 4);
  // The root, then its left half, then the quarter of leaves 2 and 3.
  REQUIRE(classes.size() == 4);
  const std::array<std::uint32_t, 4> first{0, 2, 3, 4};
  for (std::uint32_t k = 0; k < 4; ++k) CHECK(classes.first_leaf(k) == first[k]);
  CHECK(classes.leaf_count(0) == 2);
  CHECK(classes.leaf_count(3) == 4);
  CHECK(classes.leaves() == 8);
  const std::array<std::uint32_t, 8> numbers{0, 0, 1, 2, 3, 3, 3, 3};
  for (std::uint32_t leaf = 0; leaf < 8; ++leaf) CHECK(classes.class_of(leaf) == numbers[leaf]);
}

TEST_CASE("there are no more classes than leaves") {
  const std::array<std::uint8_t, 3> depths{1, 2, 2};
  const std::array<std::uint64_t, 3> weights{0, 0, 0};
  const leaf_classes classes(token_tree(depths), weights, 200);
  CHECK(classes.size() == 3);
  for (std::uint32_t leaf = 0; leaf < 3; ++leaf) CHECK(classes.class_of(leaf) == leaf);
}

TEST_CASE("classes are read back from their first leaves, and from nothing else") {
  const leaf_classes classes(std::array<std::uint16_t, 3>{0, 5, 6}, 9);
  CHECK(classes.size() == 3);
  CHECK(classes.leaf_count(1) == 1);
  CHECK(classes.class_of(8) == 2);
  const auto refused = [](std::vector<std::uint16_t> first, std::uint32_t leaves) {
    CHECK_THROWS_AS(leaf_classes(first, leaves), error);
  };
  refused({}, 9);
  refused({1, 5}, 9);
  refused({0, 5, 5}, 9);
  refused({0, 6, 5}, 9);
  refused({0, 9}, 9);
  std::vector<std::uint16_t> many;
  for (std::uint16_t i = 0; i < 257; ++i) many.push_back(i);
  refused(many, 1000);
}

TEST_CASE("no class is too large for a network, even if nothing in it is ever seen") {
  const std::vector<std::uint8_t> depths(1 << 14, 14);
  std::vector<std::uint64_t> weights(depths.size());
  weights[3] = 1000000;  // a text of one word
  const leaf_classes classes(token_tree(depths), weights, 32);
  REQUIRE(classes.size() == 32);
  for (std::uint32_t k = 0; k < classes.size(); ++k)
    CHECK(classes.leaf_count(k) <= leaf_classes::max_class_leaves);
}
