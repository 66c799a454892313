// Measures deduplication by content on snapshots of trees. Reads each SNAPSHOT, a folder or a file,
// in the order given; times are of the whole program's processors.
//
//   chunks --sizes SNAPSHOT...        unique bytes for several average sizes of chunks
//   chunks [options] SNAPSHOT...      codes the new chunks of each snapshot; prints sizes by kind
// Options: --average N (16384), --min N, --max N, --order path|kind|name, --level N (4), --block N
// bytes (0: of the level), --together: no new member where the kind changes, --threads N (1),
// --skip-first: do not code the first snapshot; --copies N: code copies of N bytes or more from
// earlier snapshots apart (--text-copies N: in text), from all their bytes or, with --same-path,
// from files of the same paths in the snapshot before.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "archive/chunks/chunk_index.h"
#include "archive/chunks/chunker.h"
#include "archive/chunks/copy_finder.h"
#include "archive/chunks/kind.h"
#include "core/hash.h"
#include "lmzip/compress.h"

using namespace lmzip;

namespace {

using bytes = std::vector<std::byte>;

struct settings {
  bool sizes = false, together = false, same_path = false, skip_first = false;
  std::uint32_t copies = 0, text_copies = 0;
  std::string order = "name";
  std::uint32_t average = 16384, min = 0, max = 0;
  unsigned threads = 1;
  compress_options coding{.level = 4};
  std::vector<std::string> snapshots;
};

struct snapshot_file {
  archive::file_order order;
  std::string path;
  std::string shown;
};

bytes read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  bytes content(std::filesystem::file_size(path));
  file.read(reinterpret_cast<char*>(content.data()), static_cast<std::streamsize>(content.size()));
  return content;
}

std::vector<snapshot_file> list_snapshot(const std::string& root, const settings& with) {
  std::vector<snapshot_file> files;
  const auto add = [&](const std::string& path, const std::string& shown) {
    bytes prefix(archive::kind_prefix_bytes);
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(prefix.data()), static_cast<std::streamsize>(prefix.size()));
    prefix.resize(static_cast<std::size_t>(file.gcount()));
    const auto kind = archive::kind_of(prefix, std::filesystem::file_size(path));
    snapshot_file entry{archive::order_of(kind, shown), path, shown};
    if (with.order == "path") entry.order.extension.clear();
    if (with.order != "name") entry.order.base_name.clear();
    files.push_back(std::move(entry));
  };
  if (std::filesystem::is_regular_file(root)) {
    add(root, root);
  } else {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
      if (entry.is_regular_file() && !entry.is_symlink())
        add(entry.path(), entry.path().string().substr(root.size()));
  }
  std::sort(files.begin(), files.end(), [&](const snapshot_file& a, const snapshot_file& b) {
    return with.order == "path" ? a.order.path < b.order.path : a.order < b.order;
  });
  return files;
}

struct counts {
  std::uint64_t files = 0, plain = 0, chunks = 0, new_chunks = 0, new_bytes = 0, references = 0;
};

/// Cuts files into chunks and gives those that are new to `use`.
template <typename Use>
counts add_snapshot(const std::vector<snapshot_file>& files, const archive::chunk_sizes& sizes,
                    std::uint32_t member, archive::chunk_index& index, Use use) {
  counts total;
  std::uint64_t offset = 0;
  archive::chunker cutter(sizes);
  for (const snapshot_file& file : files) {
    const bytes content = read_file(file.path);
    std::span<const std::byte> rest(content);
    total.files += 1;
    total.plain += content.size();
    bool was_known = false;
    while (!rest.empty()) {
      const auto chunk = rest.first(cutter.next(rest).bytes);
      cutter.restart();
      rest = rest.subspan(chunk.size());
      total.chunks += 1;
      const bool is_new = index.insert(
          sha256_of(chunk), {offset, member, static_cast<std::uint32_t>(chunk.size())});
      total.references += !is_new && !was_known;
      was_known = !is_new;
      if (!is_new) continue;
      total.new_chunks += 1;
      total.new_bytes += chunk.size();
      offset += chunk.size();
      use(file, chunk);
    }
  }
  return total;
}

void print_sizes(const settings& with) {
  std::printf("| average | min | max | snapshot | bytes | chunks | new chunks | new bytes | all new "
              "bytes | bytes of tables |\n|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|\n");
  std::vector<std::vector<snapshot_file>> lists;
  for (const auto& root : with.snapshots) lists.push_back(list_snapshot(root, with));
  const std::vector<archive::chunk_sizes> tried = {
      {1024, 2048, 65536},   {1024, 4096, 65536},    archive::sizes_around(8192),
      {2048, 16384, 131072}, archive::sizes_around(16384), {8192, 16384, 65536},
      archive::sizes_around(32768), archive::sizes_around(65536), archive::sizes_around(131072)};
  for (const auto& sizes : tried) {
    archive::chunk_index index;
    std::uint64_t all = 0, tables = 0;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const counts c = add_snapshot(lists[i], sizes, static_cast<std::uint32_t>(i), index,
                                    [](const auto&, const auto&) {});
      all += c.new_bytes;
      tables += c.new_chunks * 34;
      std::printf("| %u | %u | %u | %s | %lu | %lu | %lu | %lu | %lu | %lu |\n", sizes.average,
                  sizes.min, sizes.max, with.snapshots[i].c_str(), c.plain, c.chunks, c.new_chunks,
                  c.new_bytes, all, tables);
      std::fflush(stdout);
    }
  }
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Codes a group, with copies from `earlier` apart.
std::size_t code_group(const bytes& group, const bytes& earlier, std::uint32_t min_copy,
                       const settings& with) {
  if (min_copy == 0 || earlier.empty()) return compress(group, with.coding).size();
  const double began = now();
  const archive::copy_finder finder(earlier, min_copy);
  const auto copies = finder.find(group);
  const bytes literals = archive::take_literals(group, copies);
  const bytes written = archive::write_copies(copies);
  const std::size_t coded_copies = compress(written, with.coding).size();
  const std::size_t coded = compress(literals, with.coding).size();
  std::printf("    %zu copies (%.1f s to find) as %zu bytes, coded %zu; literals %zu, coded %zu\n",
              copies.size(), now() - began, written.size(), coded_copies, literals.size(), coded);
  return coded + coded_copies;
}

/// Files of `before` whose paths stand in `files` and have new chunks.
bytes predecessors(const std::vector<std::string>& changed, const std::string& root) {
  bytes all;
  for (const std::string& shown : changed) {
    if (!std::filesystem::is_regular_file(root + shown)) continue;
    const bytes content = read_file(root + shown);
    all.insert(all.end(), content.begin(), content.end());
  }
  return all;
}

void print_coding(const settings& with) {
  archive::chunk_sizes sizes = archive::sizes_around(with.average);
  if (with.min != 0) sizes.min = with.min;
  if (with.max != 0) sizes.max = with.max;
  archive::chunk_index index;
  std::uint64_t all_coded = 0;
  bytes earlier, fresh;
  for (std::size_t i = 0; i < with.snapshots.size(); ++i) {
    std::map<archive::content_kind, bytes> groups;
    std::vector<std::string> changed;
    const double start = now();
    const counts c = add_snapshot(
        list_snapshot(with.snapshots[i], with), sizes, static_cast<std::uint32_t>(i), index,
        [&](const snapshot_file& file, std::span<const std::byte> chunk) {
          bytes& group = groups[with.together ? archive::content_kind::empty : file.order.kind];
          group.insert(group.end(), chunk.begin(), chunk.end());
          fresh.insert(fresh.end(), chunk.begin(), chunk.end());
          if (changed.empty() || changed.back() != file.shown) changed.push_back(file.shown);
        });
    if (with.same_path && i > 0) earlier = predecessors(changed, with.snapshots[i - 1]);
    std::printf("%s: %lu files, %lu bytes, %lu chunks, new %lu with %lu bytes, %lu runs of old "
                "chunks, %.1f s\n", with.snapshots[i].c_str(), c.files, c.plain, c.chunks,
                c.new_chunks, c.new_bytes, c.references, now() - start);
    std::uint64_t coded_here = 0;
    for (const auto& [kind, group] : groups) {
      const double began = now();
      if (with.skip_first && i == 0) continue;
      const bool is_text = kind == archive::content_kind::text && with.text_copies != 0;
      const std::size_t coded =
          code_group(group, earlier, is_text ? with.text_copies : with.copies, with);
      coded_here += coded;
      std::printf("  %-15s %10zu -> %9zu  %.1f s\n", std::string(name_of(kind)).c_str(),
                  group.size(), coded, now() - began);
      std::fflush(stdout);
    }
    all_coded += coded_here;
    if (with.same_path)
      std::printf("  copied from %zu bytes\n", earlier.size());
    else
      earlier = fresh;
    std::printf("  coded %lu, table of chunks about %lu, all so far %lu\n", coded_here,
                c.new_chunks * 34, all_coded);
    std::fflush(stdout);
  }
}

settings read_settings(int count, char** words) {
  settings with;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&] { return i + 1 < count ? std::string(words[++i]) : "0"; };
    if (word == "--sizes") with.sizes = true;
    else if (word == "--together") with.together = true;
    else if (word == "--same-path") with.same_path = true;
    else if (word == "--skip-first") with.skip_first = true;
    else if (word == "--text-copies") with.text_copies = static_cast<std::uint32_t>(std::stoul(value()));
    else if (word == "--copies") with.copies = static_cast<std::uint32_t>(std::stoul(value()));
    else if (word == "--order") with.order = value();
    else if (word == "--average") with.average = static_cast<std::uint32_t>(std::stoul(value()));
    else if (word == "--min") with.min = static_cast<std::uint32_t>(std::stoul(value()));
    else if (word == "--max") with.max = static_cast<std::uint32_t>(std::stoul(value()));
    else if (word == "--level") with.coding.level = std::stoi(value());
    else if (word == "--block") with.coding.block_bytes = std::stoull(value());
    else if (word == "--threads") with.coding.threads = static_cast<unsigned>(std::stoul(value()));
    else with.snapshots.push_back(word);
  }
  return with;
}

}  // namespace

int main(int count, char** words) {
  const settings with = read_settings(count, words);
  if (with.sizes)
    print_sizes(with);
  else
    print_coding(with);
}
