// What the search for programs of tensors is worth, part by part: sizes, productions tried and time
// with the prior, the order of the search, the budget or one production taken away.
//
//   tensor_ablation FILE.safetensors...     a table in Markdown
//   tensor_ablation --programs FILE...      the programs that are found, one a line
//
// Sizes are those of whole payloads (codec 8) of the tensors of a file in blocks of up to 4 MiB;
// times are of the thread's processor.

#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "codec/brevis/brevis_encoder.h"
#include "codec/brevis/program_text.h"
#include "core/endian.h"

using namespace lmzip;
using namespace lmzip::codec::brevis;

namespace {

struct named_block {
  std::vector<std::string> names;
  std::vector<tensor_part> parts;
  std::vector<std::byte> plain;
};

std::vector<named_block> read_file(const std::string& path) {
  constexpr std::size_t most = std::size_t{4} << 20;
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto header_bytes = load_le<std::uint64_t>(text.data());
  const auto header = nlohmann::json::parse(text.substr(8, header_bytes));
  std::map<std::size_t, std::string> by_place;
  for (const auto& [name, facts] : header.items())
    if (name != "__metadata__") by_place[facts["data_offsets"][0]] = name;
  std::vector<named_block> blocks;
  for (const auto& [begin, name] : by_place) {
    const auto& facts = header[name];
    const std::size_t end = facts["data_offsets"][1];
    const auto type = dtype_named(facts["dtype"].get<std::string>());
    if (!type || end == begin) continue;
    tensor_part part{
        {*type, facts["shape"].get<std::vector<std::uint64_t>>()}, class_of_name(name), 0};
    const std::size_t bytes = end - begin;
    if (blocks.empty() || blocks.back().plain.size() + bytes > most) blocks.emplace_back();
    named_block& block = blocks.back();
    block.names.push_back(name);
    block.parts.push_back(std::move(part));
    const auto* const from = reinterpret_cast<const std::byte*>(text.data() + 8 + header_bytes);
    block.plain.insert(block.plain.end(), from + begin, from + end);
  }
  return blocks;
}

double seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void measure(const char* name, const std::vector<named_block>& blocks,
             const search_options& options, std::size_t whole) {
  const leaf_coding leaves(options.effort);
  std::size_t bytes = 0;
  search_statistics all;
  double searched = 0;
  for (const named_block& block : blocks) {
    search_statistics one;
    const double begin = seconds();
    find_programs(block.parts, block.plain, options, leaves, &one);
    searched += seconds() - begin;
    all.nodes += one.nodes;
    all.programs += one.programs;
    const auto coded =
        encode(block.parts, block.plain, options, leaves, without_structure::code_all_the_same);
    bytes += coded->payload.size();
  }
  std::printf("| %s | %zu | %+.2f %% | %llu | %llu | %.1f |\n", name, bytes,
              whole == 0 ? 0.0
                         : 100.0 * (static_cast<double>(bytes) - static_cast<double>(whole)) /
                               static_cast<double>(whole),
              static_cast<unsigned long long>(all.nodes),
              static_cast<unsigned long long>(all.programs), searched * 1e3);
}

std::size_t size_with(const std::vector<named_block>& blocks, const search_options& options) {
  const leaf_coding leaves(options.effort);
  std::size_t bytes = 0;
  for (const named_block& block : blocks)
    bytes += encode(block.parts, block.plain, options, leaves, without_structure::code_all_the_same)
                 ->payload.size();
  return bytes;
}

void make_table(const std::string& path) {
  const auto blocks = read_file(path);
  std::printf(
      "\n%s\n\n| setting | bytes | against full | nodes | programs | search ms |\n"
      "|---|---:|---:|---:|---:|---:|\n",
      path.c_str());
  const search_options full{.effort = search_effort::full};
  const std::size_t whole = size_with(blocks, full);
  measure("full", blocks, full, whole);
  measure("fast", blocks, {.effort = search_effort::fast}, whole);
  measure("none", blocks, {.effort = search_effort::none}, whole);
  measure("the shipped prior alone", blocks, {.effort = search_effort::full, .learn = false},
          whole);
  measure("the first program found", blocks, {.effort = search_effort::full, .best_first = false},
          whole);
  for (const std::uint64_t nodes : {4, 8, 16, 32, 64})
    measure(("budget of " + std::to_string(nodes)).c_str(), blocks,
            {.effort = search_effort::full, .nodes = nodes}, whole);
  for (unsigned i = 0; i + 1 < production_count; ++i)
    measure(("without " + std::string(name_of(static_cast<production>(i)))).c_str(), blocks,
            {.effort = search_effort::full, .without = 1U << i}, whole);
}

void show_programs(const std::string& path) {
  const leaf_coding leaves(search_effort::full);
  for (const named_block& block : read_file(path)) {
    const auto found =
        find_programs(block.parts, block.plain, {.effort = search_effort::full}, leaves);
    for (std::size_t i = 0; i < found.size(); ++i)
      std::printf("%s = %s\n", block.names[i].c_str(),
                  found[i] ? to_text(found[i]->program, block.parts[i].type).c_str() : "-");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool programs = argc > 1 && std::strcmp(argv[1], "--programs") == 0;
  for (int i = programs ? 2 : 1; i < argc; ++i)
    programs ? show_programs(argv[i]) : make_table(argv[i]);
}
