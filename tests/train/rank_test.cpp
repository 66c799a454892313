#include "app/train/rank.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "lmzip/error.h"

using namespace lmzip::train;
using lmzip::error;

namespace {

rank rank_with(const std::map<std::string, std::string>& set) {
  return rank_from([&](const char* name) {
    const auto found = set.find(name);
    return found == set.end() ? nullptr : found->second.c_str();
  });
}

}  // namespace

TEST_CASE("without variables there is one rank") {
  const rank alone = rank_with({});
  CHECK(alone.number == 0);
  CHECK(alone.count == 1);
  CHECK(rank_with({{"WORLD_SIZE", "1"}, {"RANK", "0"}}).count == 1);
}

TEST_CASE("a rank is what torchrun says") {
  const rank third = rank_with({{"RANK", "2"},
                                {"WORLD_SIZE", "4"},
                                {"LOCAL_RANK", "1"},
                                {"MASTER_ADDR", "here"},
                                {"MASTER_PORT", "1234"},
                                {"SLURM_PROCID", "7"}});
  CHECK(third.number == 2);
  CHECK(third.count == 4);
  CHECK(third.local == 1);
  CHECK(third.address == "here");
  CHECK(third.port == 1234);
}

TEST_CASE("a rank is what Slurm says") {
  std::map<std::string, std::string> set = {{"SLURM_PROCID", "5"},
                                            {"SLURM_NTASKS", "8"},
                                            {"SLURM_LOCALID", "1"},
                                            {"SLURM_JOB_NODELIST", "gpu[07-09,12],login2"},
                                            {"SLURM_JOB_ID", "123456"}};
  const rank sixth = rank_with(set);
  CHECK(sixth.number == 5);
  CHECK(sixth.count == 8);
  CHECK(sixth.local == 1);
  CHECK(sixth.address == "gpu07");
  CHECK(sixth.port == 23456);
  set["SLURM_STEP_NUM_TASKS"] = std::string("6");
  set["SLURM_STEP_NODELIST"] = std::string("gpu08");
  set["MASTER_PORT"] = std::string("99");
  const rank in_step = rank_with(set);
  CHECK(in_step.count == 6);
  CHECK(in_step.address == "gpu08");
  CHECK(in_step.port == 99);
}

TEST_CASE("variables that contradict are refused") {
  CHECK_THROWS_AS(rank_with({{"WORLD_SIZE", "2"}}), error);
  CHECK_THROWS_AS(rank_with({{"WORLD_SIZE", "2"}, {"RANK", "1"}}), error);  // no address
  CHECK_THROWS_AS(rank_with({{"WORLD_SIZE", "2"}, {"RANK", "2"}, {"MASTER_ADDR", "a"}}), error);
  CHECK_THROWS_AS(rank_with({{"WORLD_SIZE", "two"}, {"RANK", "0"}}), error);
  CHECK_THROWS_AS(rank_with({{"WORLD_SIZE", "0"}, {"RANK", "0"}}), error);
  CHECK_THROWS_AS(
      rank_with(
          {{"WORLD_SIZE", "2"}, {"RANK", "0"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "70000"}}),
      error);
}

TEST_CASE("the first host of a list is found") {
  CHECK(first_host("one") == "one");
  CHECK(first_host("one,two") == "one");
  CHECK(first_host("n[3,5]") == "n3");
  CHECK(first_host("n[003-005]-x,m1") == "n003-x");
  CHECK(first_host("a1,n[3-5]") == "a1");
  CHECK_THROWS_AS(first_host("n[3"), error);
}
