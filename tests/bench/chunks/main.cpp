// Measures deduplication by content on snapshots of trees. Reads each SNAPSHOT, a folder or a file,
// in the order given; chunks that earlier ones had are not coded again.
//
//   chunks --sizes SNAPSHOT...        unique bytes for several average sizes of chunks
//   chunks [options] SNAPSHOT...      codes what is new in each snapshot; prints sizes by kind
// Options: --average N (16384), --min N, --max N, --order path|kind|archive|name, --level N (6),
// --block N bytes (0: of the level), --together: blocks may hold several kinds, --threads N (1),
// --skip-first: do not code the first snapshot, --copies: code copies from the files of the same
// paths in the snapshot before apart from the other bytes (--copies N, --text-copies N: of N bytes
// at least).
//   chunks --speed FILE               speeds of the parts beside memcpy, by the processor's time

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "archive/chunks/copy_finder.h"
#include "archive/chunks/repetition.h"
#include "bench/chunks/snapshot.h"
#include "lmzip/compress.h"

using namespace lmzip;
using archive::content_kind;
using bench::bytes;

namespace {

struct settings {
  bool sizes = false, speed = false, together = false, skip_first = false;
  bench::order_of_files order = bench::order_of_files::archive;
  archive::chunk_sizes chunks;
  std::uint32_t copies = 0, text_copies = 0;  // 0: none, of the kind
  compress_options coding{};
  std::vector<std::string> snapshots;
};

using bench::placed_paths;

constexpr std::size_t table_bytes_per_chunk = 34;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void print_sizes(const settings& with) {
  std::printf(
      "| average | min | max | snapshot | bytes | chunks | new chunks | new bytes | all new "
      "bytes | bytes of tables |\n|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|\n");
  std::vector<std::vector<bench::snapshot_file>> lists;
  for (const auto& root : with.snapshots) lists.push_back(bench::list_snapshot(root, with.order));
  for (std::uint32_t average = 4096; average <= 131072; average *= 2) {
    const archive::chunk_sizes sizes = archive::sizes_around(average);
    archive::chunk_index index;
    std::uint64_t all = 0, tables = 0;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      placed_paths placed;
      const auto c = bench::add_snapshot(lists[i], sizes, static_cast<std::uint32_t>(i), index,
                                         placed, [](const auto&, const auto&) {});
      all += c.new_bytes;
      tables += c.new_chunks * table_bytes_per_chunk;
      std::printf("| %u | %u | %u | %s | %lu | %lu | %lu | %lu | %lu | %lu |\n", sizes.average,
                  sizes.min, sizes.max, with.snapshots[i].c_str(), c.plain_bytes, c.chunks,
                  c.new_chunks, c.new_bytes, all, tables);
      std::fflush(stdout);
    }
  }
}

std::size_t code(const bytes& plain, const settings& with) {
  return plain.empty() ? 0 : compress(plain, with.coding).size();
}

/// Codes `plain`, with copies from `base` apart where there are some. Prints and returns the size.
std::size_t code_group(const std::string& name, const bytes& plain, const bytes& base,
                       std::uint32_t shortest, const settings& with) {
  const double began = now();
  std::printf("  %-15s %10zu, repetition %3u/1000 -> ", name.c_str(), plain.size(),
              archive::repetition_rate(plain));
  if (shortest == 0 || base.empty()) {
    const std::size_t coded = code(plain, with);
    std::printf("%9zu  %.1f s\n", coded, now() - began);
    return coded;
  }
  const auto copies = archive::copy_finder(base, shortest).find(plain);
  const double found = now();
  const bytes literals = archive::take_literals(plain, copies);
  const std::size_t coded_list = code(archive::write_copies(copies), with);
  const std::size_t coded = code(literals, with);
  std::printf(
      "%9zu  %.1f s: %zu copies, coded as %zu, found in %.1f s; other bytes %zu, coded as "
      "%zu\n",
      coded + coded_list, now() - began, copies.size(), coded_list, found - began, literals.size(),
      coded);
  return coded + coded_list;
}

/// The chunks that the changed files of one kind had in the snapshot before, and have no more.
bytes replaced_chunks(const std::vector<std::string>& changed, const std::string& root_before,
                      const placed_paths& before, const placed_paths& after) {
  bytes all;
  for (const std::string& path : changed) {
    const auto known = before.find(path);
    if (known == before.end()) continue;
    const auto& kept = after.at(path);
    const bytes content = bench::read_file(root_before + path);
    std::size_t at = 0;
    for (const archive::chunk_place& place : known->second) {
      const auto chunk = std::span(content).subspan(at, place.bytes);
      at += place.bytes;
      if (std::find(kept.begin(), kept.end(), place) == kept.end())
        all.insert(all.end(), chunk.begin(), chunk.end());
    }
  }
  return all;
}

struct group {
  bytes fresh;
  std::vector<std::string> changed;  // paths with new chunks
};

/// The new chunks of one snapshot by kind.
struct snapshot_groups {
  std::map<content_kind, group> kinds;
  placed_paths placed;
  std::uint64_t table_bytes = 0;
};

snapshot_groups collect(const settings& with, std::size_t number, archive::chunk_index& index) {
  snapshot_groups groups;
  const double start = now();
  const auto files = bench::list_snapshot(with.snapshots[number], with.order);
  const auto c = bench::add_snapshot(
      files, with.chunks, static_cast<std::uint32_t>(number), index, groups.placed,
      [&](const bench::snapshot_file& file, std::span<const std::byte> chunk) {
        group& to = groups.kinds[with.together ? content_kind::binary : file.order.kind];
        to.fresh.insert(to.fresh.end(), chunk.begin(), chunk.end());
        if (to.changed.empty() || to.changed.back() != file.order.path)
          to.changed.push_back(file.order.path);
      });
  groups.table_bytes = c.new_chunks * table_bytes_per_chunk;
  std::printf("%s: %lu files, %lu bytes, %lu chunks, new %lu with %lu bytes, %.1f s\n",
              with.snapshots[number].c_str(), c.files, c.plain_bytes, c.chunks, c.new_chunks,
              c.new_bytes, now() - start);
  return groups;
}

void print_coding(const settings& with) {
  archive::chunk_index index;
  std::uint64_t total = 0;
  bytes entries_before;
  placed_paths placed_before;
  for (std::size_t i = 0; i < with.snapshots.size(); ++i) {
    snapshot_groups groups = collect(with, i, index);
    std::uint64_t coded = 0, copied_from = 0;
    for (const auto& [kind, group] : groups.kinds) {
      if (with.skip_first && i == 0) continue;
      const bool is_text = kind == content_kind::text && with.text_copies != 0;
      const std::uint32_t shortest = is_text ? with.text_copies : with.copies;
      bytes base;
      if (shortest != 0 && i > 0)
        base = replaced_chunks(group.changed, with.snapshots[i - 1], placed_before, groups.placed);
      copied_from += base.size();
      coded += code_group(std::string(name_of(kind)), group.fresh, base, shortest, with);
      std::fflush(stdout);
    }
    bytes entries;
    if (std::filesystem::is_directory(with.snapshots[i]))
      entries = bench::entries_of(with.snapshots[i], groups.placed);
    const std::uint64_t coded_entries =
        code_group("(entries)", entries, entries_before, with.copies, with);
    entries_before = std::move(entries);
    placed_before = std::move(groups.placed);
    total += coded + coded_entries + groups.table_bytes;
    std::printf(
        "  data %lu + entries %lu + table of chunks %lu, all so far %lu; copied from "
        "%lu bytes\n",
        coded, coded_entries, groups.table_bytes, total, copied_from);
    std::fflush(stdout);
  }
}

/// Seconds of the processor.
double processor_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Best of several runs, in GB/s.
template <typename Work>
void print_speed(const char* name, std::size_t count, Work work) {
  double best = 1e9;
  for (int run = 0; run < 7; ++run) {
    const double start = processor_now();
    work();
    best = std::min(best, processor_now() - start);
  }
  std::printf("| %s | %.2f |\n", name, static_cast<double>(count) / best / 1e9);
}

/// Of an index of a million chunks.
void print_index_speed() {
  constexpr std::uint32_t count = 1'000'000;
  std::vector<hash256> hashes(count);
  for (std::uint32_t i = 0; i < count; ++i) hashes[i] = sha256_of(std::as_bytes(std::span(&i, 1)));
  archive::chunk_index index;
  const double start = processor_now();
  for (std::uint32_t i = 0; i < count; ++i) index.insert(hashes[i], {i, 0, 1});
  const double inserted = processor_now();
  std::uint64_t found = 0;
  for (const hash256& hash : hashes) found += index.find(hash, 1).has_value();
  const double looked_up = processor_now();
  std::printf(
      "\nindex of %lu chunks: %.0f ns to insert, %.0f ns to find, %.1f bytes a chunk at most\n",
      found, (inserted - start) * 1e9 / count, (looked_up - inserted) * 1e9 / count,
      static_cast<double>(index.peak_memory_bytes()) / count);
}

void print_speeds(const settings& with) {
  const bytes plain = bench::read_file(with.snapshots.at(0));
  bytes copy(plain.size());
  std::size_t kept = 0;  // so that nothing is left out
  std::printf("| what | GB/s |\n|---|---:|\n");
  print_speed("memcpy", plain.size(), [&] { std::copy(plain.begin(), plain.end(), copy.begin()); });
  print_speed("chunker", plain.size(), [&] {
    archive::chunker cutter(with.chunks);
    for (std::span<const std::byte> rest(plain); !rest.empty(); ++kept)
      rest = rest.subspan(cutter.next(rest).bytes);
  });
  print_speed("SHA-256", plain.size(),
              [&] { kept += std::to_integer<std::size_t>(sha256_of(plain)[0]); });
  print_speed("repetition", plain.size(), [&] { kept += archive::repetition_rate(plain); });
  for (std::size_t i = 0; i < copy.size(); i += 1000) copy[i] ^= std::byte{1};
  print_speed("copies, all but 1 byte in 1000", plain.size(),
              [&] { kept += archive::copy_finder(copy, 24).find(plain).size(); });
  const auto half = std::span(plain).first(plain.size() / 2);
  print_speed("copies, second half from first", half.size(), [&] {
    kept += archive::copy_finder(half, 24).find(std::span(plain).subspan(half.size())).size();
  });
  if (kept == 0) std::printf("\n");
  print_index_speed();
}

settings read_settings(int count, char** words) {
  settings with;
  const auto is_number = [](const std::string& word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  };
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto number = [&](unsigned long otherwise) {
      return i + 1 < count && is_number(words[i + 1]) ? std::stoul(words[++i]) : otherwise;
    };
    const auto number32 = [&](std::uint32_t otherwise) {
      return static_cast<std::uint32_t>(number(otherwise));
    };
    if (word == "--sizes")
      with.sizes = true;
    else if (word == "--speed")
      with.speed = true;
    else if (word == "--together")
      with.together = true;
    else if (word == "--skip-first")
      with.skip_first = true;
    else if (word == "--average")
      with.chunks = archive::sizes_around(number32(16384));
    else if (word == "--min")
      with.chunks.min = number32(0);
    else if (word == "--max")
      with.chunks.max = number32(0);
    else if (word == "--copies") {
      with.copies = number32(archive::shortest_copy(content_kind::binary));
      if (with.text_copies == 0) with.text_copies = archive::shortest_copy(content_kind::text);
    } else if (word == "--text-copies")
      with.text_copies = number32(0);
    else if (word == "--level")
      with.coding.level = static_cast<int>(number(default_level));
    else if (word == "--block")
      with.coding.block_bytes = number(0);
    else if (word == "--threads")
      with.coding.threads = number32(1);
    else if (word == "--order" && i + 1 < count) {
      const std::string order = words[++i];
      if (order == "path") with.order = bench::order_of_files::path;
      if (order == "kind") with.order = bench::order_of_files::kind;
      if (order == "name") with.order = bench::order_of_files::name;
    } else
      with.snapshots.push_back(word);
  }
  return with;
}

}  // namespace

int main(int count, char** words) {
  const settings with = read_settings(count, words);
  if (with.speed)
    print_speeds(with);
  else if (with.sizes)
    print_sizes(with);
  else
    print_coding(with);
}
