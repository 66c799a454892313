#pragma once

// Real trees in a temporary folder, walked, and compared.

#include <doctest/doctest.h>
#include <fcntl.h>
#include <grp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "archive/tree/file_content.h"
#include "archive/tree/stat_cache.h"
#include "archive/tree/walker.h"

namespace lmzip::test {

namespace fs = std::filesystem;

/// An empty folder that is removed at the end, with whatever modes its contents have.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (fs::temp_directory_path() / "lmzip-tree-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
    ::chmod(path_.c_str(), 0755);
  }
  ~scratch_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::string stored(const std::string& name) const { return (path_ + "/" + name).substr(1); }

 private:
  std::string path_;
};

inline void put(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string get(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

inline bool is_root() { return ::geteuid() == 0; }

/// Runs `work` as an ordinary user: nobody, if we are root. It returns what went wrong, or "".
inline std::string as_user(const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    std::string text;
    if (is_root() && (::setgroups(0, nullptr) != 0 || ::setgid(65534) != 0 || ::setuid(65534) != 0))
      text = "cannot become nobody";
    try {
      if (text.empty()) text = work();
    } catch (const std::exception& cause) {
      text = cause.what();
    }
    const ssize_t written = ::write(ends[1], text.data(), std::min<std::size_t>(text.size(), 4000));
    ::_exit(written < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  std::string text(4096, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(ends[0], text.data(), 4096), 0)));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return text.empty() && status != 0 ? "the child ended badly" : text;
}

/// Keeps all that a walk finds, with the content of files.
class collector : public tree::visitor {
 public:
  bool reuse(const tree::entry& found) override {
    if (on_found) on_found(found);
    const auto before = previous.find(found.path);
    if (before == previous.end() || !tree::is_unchanged(before->second, found, previous_start))
      return false;
    entries.push_back(before->second);
    ++reused;
    return true;
  }

  bool store(tree::entry& found, io::file* content) override {
    if (content != nullptr) {
      tree::file_content data(*content, found);
      std::string text;
      char buffer[1000];
      while (const std::size_t size = data.read(std::as_writable_bytes(std::span(buffer)))) {
        text.append(buffer, size);
        if (on_read) on_read(found);
      }
      const auto outcome = data.finish(found);
      outcomes[found.path] = outcome;
      if (outcome == tree::file_content::outcome::failed) return false;
      contents[found.path] = text;
      const auto bytes = tree::data_bytes(found);
      if (bytes > 0) found.content = {{0, 0, bytes}};
    }
    entries.push_back(found);
    return true;
  }

  void report(const tree::problem& found) override { problems.push_back(found); }

  const tree::entry* find(const std::string& path) const {
    for (const tree::entry& each : entries)
      if (each.path == path) return &each;
    return nullptr;
  }

  /// The paths below `above`, one after the other with a blank between.
  std::string paths(const std::string& above) const {
    std::string text;
    for (const tree::entry& each : entries)
      if (tree::is_below(each.path, above))
        text += (text.empty() ? "" : " ") + each.path.substr(above.empty() ? 0 : above.size() + 1);
    return text;
  }

  std::map<std::string, tree::entry> previous;
  io::file_time previous_start;
  std::function<void(const tree::entry&)> on_found;
  std::function<void(const tree::entry&)> on_read;

  std::vector<tree::entry> entries;
  std::map<std::string, std::string> contents;
  std::map<std::string, tree::file_content::outcome> outcomes;
  std::vector<tree::problem> problems;
  std::size_t reused = 0;
};

inline collector walked(const std::vector<std::string>& paths,
                        const tree::walk_options& options = {}) {
  collector found;
  tree::walk(paths, options, found);
  return found;
}

/// Names in `found` below the scratch folder.
inline std::string names(const collector& found, const scratch_folder& in) {
  return found.paths(in.path().substr(1));
}

inline const tree::problem* problem_at(const collector& found, const std::string& path) {
  for (const tree::problem& each : found.problems)
    if (each.path == path) return &each;
  return nullptr;
}

}  // namespace lmzip::test
