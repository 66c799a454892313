#include "bench/chunks/snapshot.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "core/varint.h"

namespace lmzip::bench {
namespace {

namespace fs = std::filesystem;

snapshot_file look_at(const std::string& root, const std::string& path) {
  bytes prefix(archive::kind_prefix_bytes);
  std::ifstream file(root + path, std::ios::binary);
  file.read(reinterpret_cast<char*>(prefix.data()), static_cast<std::streamsize>(prefix.size()));
  prefix.resize(static_cast<std::size_t>(file.gcount()));
  const auto kind = archive::kind_of(prefix, fs::file_size(root + path));
  return {archive::order_of(kind, path), root};
}

bool stands_before(const archive::file_order& a, const archive::file_order& b,
                   order_of_files order) {
  if (order == order_of_files::path) return a.path < b.path;
  if (a.kind != b.kind || order == order_of_files::archive) return a < b;
  if (order == order_of_files::kind) return a.path < b.path;
  if (a.extension != b.extension) return a.extension < b.extension;
  const auto name_a = archive::base_name_of(a.path), name_b = archive::base_name_of(b.path);
  return name_a != name_b ? name_a < name_b : a.path < b.path;
}

void put_text(bytes& out, const std::string& text) {
  write_varint(out, text.size());
  const auto view = std::as_bytes(std::span(text));
  out.insert(out.end(), view.begin(), view.end());
}

void put_time(bytes& out, const timespec& time) {
  write_varint(out, to_zigzag(time.tv_sec));
  write_varint(out, static_cast<std::uint64_t>(time.tv_nsec));
}

void put_places(bytes& out, const std::vector<archive::chunk_place>& places) {
  for (std::size_t i = 0; i < places.size();) {
    const auto [offset, member, _] = places[i];
    std::uint64_t end = offset;
    for (; i < places.size() && places[i].member == member && places[i].offset == end; ++i)
      end += places[i].bytes;
    write_varint(out, member);
    write_varint(out, offset);
    write_varint(out, end - offset);
  }
}

}  // namespace

bytes read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  bytes content(fs::file_size(path));
  file.read(reinterpret_cast<char*>(content.data()), static_cast<std::streamsize>(content.size()));
  return content;
}

std::vector<snapshot_file> list_snapshot(const std::string& root, order_of_files order) {
  std::vector<snapshot_file> files;
  if (fs::is_regular_file(root)) return {look_at(root, "")};
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.is_regular_file() && !entry.is_symlink())
      files.push_back(look_at(root, entry.path().string().substr(root.size())));
  std::sort(files.begin(), files.end(), [order](const snapshot_file& a, const snapshot_file& b) {
    return stands_before(a.order, b.order, order);
  });
  return files;
}

bytes entries_of(const std::string& root, const placed_paths& placed) {
  placed_paths entries = placed;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    entries[entry.path().string().substr(root.size())];
  bytes out, stamps;
  for (const auto& [path, places] : entries) {
    struct stat status {};
    if (lstat((root + path).c_str(), &status) != 0) continue;
    put_text(out, path);
    for (const std::uint64_t number : {std::uint64_t{status.st_mode}, std::uint64_t{status.st_uid},
                                       std::uint64_t{status.st_gid}})
      write_varint(out, number);
    put_text(out, "root");
    put_text(out, "root");
    put_time(out, status.st_mtim);
    write_varint(out, static_cast<std::uint64_t>(status.st_size));
    if (S_ISLNK(status.st_mode)) put_text(out, fs::read_symlink(root + path).string());
    put_places(out, places);
    put_time(stamps, status.st_ctim);
    write_varint(stamps, status.st_ino);
  }
  out.insert(out.end(), stamps.begin(), stamps.end());
  return out;
}

}  // namespace lmzip::bench
