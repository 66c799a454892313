#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

#include <algorithm>
#include <memory>

#include "core/io/file.h"
#include "core/io/system_calls.h"

namespace lmzip::io {

std::string directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void sync_directory_of(const std::string& path, system_calls* calls) {
  system_calls& use = calls != nullptr ? *calls : system_calls::real();
  const std::string directory = directory_of(path);
  const int descriptor = use.open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (descriptor < 0) throw file_error(directory, "cannot open", errno);
  file handle(descriptor, directory, calls);
  try {
    handle.sync();
  } catch (const file_error& failure) {
    // Some file systems cannot sync a directory and say so; there is nothing more to do then.
    if (failure.reason() != EINVAL && failure.reason() != ENOTSUP) throw;
  }
}

void remove_file(const std::string& path, system_calls* calls) {
  system_calls& use = calls != nullptr ? *calls : system_calls::real();
  if (use.unlink(path.c_str()) != 0) throw file_error(path, "cannot remove", errno);
}

std::vector<directory_entry> list_directory(const std::string& path) {
  const auto close_directory = [](DIR* directory) { ::closedir(directory); };
  const std::unique_ptr<DIR, decltype(close_directory)> directory(::opendir(path.c_str()),
                                                                  close_directory);
  if (!directory) throw file_error(path, "cannot open", errno);
  std::vector<directory_entry> entries;
  for (;;) {
    errno = 0;
    const struct dirent* found = ::readdir(directory.get());
    if (found == nullptr) break;
    const std::string name = found->d_name;
    if (name == "." || name == "..") continue;
    const auto status = status_of(path + "/" + name, false);
    if (status) entries.push_back({name, status->kind});
  }
  if (errno != 0) throw file_error(path, "cannot read", errno);
  std::sort(entries.begin(), entries.end(),
            [](const directory_entry& a, const directory_entry& b) { return a.name < b.name; });
  return entries;
}

}  // namespace lmzip::io
