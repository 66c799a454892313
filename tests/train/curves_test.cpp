#include "app/train/curves.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

using namespace lmzip::train;

namespace {

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

const std::vector<training_report> run = {{1000, 4096000, 4e-3, 9.5, 8.25, 10},
                                          {2000, 8192000, 2e-3, 7.5, 0, 20},
                                          {3000, 12288000, 0, 6.5, 6.75, 30}};

}  // namespace

TEST_CASE("the picture of a run shows both losses and the rate") {
  const std::string empty = curves_svg({});
  CHECK(empty.starts_with("<svg"));
  CHECK(empty.ends_with("</svg>\n"));
  const std::string drawn = curves_svg(run);
  CHECK(count(drawn, "<circle") == 2);
  CHECK(count(drawn, ">held out<") == 1);
  for (const char* wrong : {"nan", "inf", ">-0<"}) {
    CAPTURE(wrong);
    CHECK(count(empty + drawn, wrong) == 0);
  }
}

TEST_CASE("a picture leaves out what a lost part of the run reported") {
  const std::string path =
      (std::filesystem::temp_directory_path() / "lmzip-train-curves.svg").string();
  const auto drawn = [&] {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  std::vector<training_report> logged = run;
  logged.push_back(run[1]);  // the run went on from step 1000
  curves_file curves(path, logged);
  CHECK(count(drawn(), "<circle") == 1);
  curves.add(run[2]);
  CHECK(drawn() == curves_svg(run));
  curves.add({1500, 6144000, 3e-3, 8, 7.5, 15});
  CHECK(count(drawn(), "<circle") == 2);
  std::filesystem::remove(path);
}
