#include "app/train/corpus.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "codec/text/leaves.h"
#include "core/io/file.h"
#include "lmzip/decompress.h"
#include "lmzip/error.h"

namespace lmzip::train {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t read_bytes = std::size_t{1} << 20;

/// Tokens at once: as in the blocks of the codecs.
constexpr std::size_t document_bytes = std::size_t{16} << 20;

std::vector<std::byte> read_file(const std::string& path) {
  io::file file = io::file::open_for_reading(path, true);
  std::vector<std::byte> content;
  for (std::size_t size = 0;; size = content.size()) {
    content.resize(size + read_bytes);
    const std::size_t got = file.read(std::span(content).subspan(size));
    content.resize(size + got);
    if (got == 0) return content;
  }
}

}  // namespace

std::vector<std::string> files_of(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const std::size_t first = files.size();
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
  }
  return files;
}

std::vector<std::byte> text_of(const std::string& path) {
  std::vector<std::byte> content = read_file(path);
  return path.ends_with(".lmz") ? decompress(content) : content;
}

corpus read_corpus(const std::vector<std::string>& paths,
                   const std::function<void(const std::string&)>& on_file) {
  corpus all;
  for (const std::string& path : files_of(paths)) {
    if (on_file) on_file(path);
    const std::vector<std::byte> text = text_of(path);
    for (auto at = text.begin(); at != text.end();) {
      const auto limit = at + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                  document_bytes, static_cast<std::size_t>(text.end() - at)));
      const auto end = std::find(at, limit, std::byte{0});
      const auto leaves = codec::text::leaves_of_tokens({at, end});
      all.leaves.insert(all.leaves.end(), leaves.begin(), leaves.end());
      all.bytes += static_cast<std::uint64_t>(end - at);
      at = end != text.end() && *end == std::byte{0} ? end + 1 : end;
    }
  }
  if (all.leaves.empty()) throw error(errc::usage, "the training text is empty");
  return all;
}

}  // namespace lmzip::train
