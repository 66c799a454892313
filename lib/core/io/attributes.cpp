#include "core/io/attributes.h"

#include <errno.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "core/io/file.h"
#include "core/io/folder.h"
#include "core/io/system_calls.h"

namespace lmzip::io {
namespace {

using reading = std::function<ssize_t(char* data, size_t size)>;

/// What `read` gives, however long; nothing with errno if it fails. The size can change between the
/// question for it and the answer, so that it is asked again.
std::optional<std::string> read_all(const reading& read) {
  std::string data(256, '\0');
  for (int i = 0; i < 16; ++i) {
    const ssize_t size = read(data.data(), data.size());
    if (size >= 0) {
      data.resize(static_cast<size_t>(size));
      return data;
    }
    if (errno != ERANGE) return std::nullopt;
    const ssize_t needed = read(nullptr, 0);
    if (needed < 0) return std::nullopt;
    data.resize(static_cast<size_t>(needed) + 64);
  }
  errno = ERANGE;
  return std::nullopt;
}

/// The file or its file system has no attributes, or they cannot be asked for without /proc.
bool has_none(int reason) {
  return reason == ENOTSUP || reason == ENOSYS || reason == EINVAL || reason == ENOENT ||
         reason == ENOTDIR || reason == ELOOP;
}

std::vector<attribute> read_attributes(
    const std::string& path, const reading& list,
    const std::function<ssize_t(const char* name, char* data, size_t size)>& get) {
  const auto names = read_all(list);
  if (!names) {
    if (has_none(errno)) return {};
    throw file_error(path, "cannot read attributes", errno);
  }
  std::vector<attribute> found;
  for (size_t at = 0; at < names->size();) {
    const std::string name = names->c_str() + at;
    at += name.size() + 1;
    const auto value =
        read_all([&](char* data, size_t size) { return get(name.c_str(), data, size); });
    if (value) {
      found.push_back({name, *value});
    } else if (errno != ENODATA && !has_none(errno)) {
      throw file_error(path, "cannot read attribute " + name, errno);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<attribute> file::attributes() const {
  return read_attributes(
      name_,
      [this](char* data, size_t size) { return calls_->list_attributes(descriptor_, data, size); },
      [this](const char* name, char* data, size_t size) {
        return calls_->get_attribute(descriptor_, name, data, size);
      });
}

int file::set_attribute(const attribute& which) noexcept {
  return calls_->set_attribute(descriptor_, which.name.c_str(), which.value.data(),
                               which.value.size()) == 0
             ? 0
             : errno;
}

// No call takes a directory and a name: /proc has a path that is the open directory.
std::string folder::path_of_open(const std::string& name) const {
  return "/proc/self/fd/" + std::to_string(handle_.descriptor_) + "/" + name;
}

std::vector<attribute> folder::attributes_of(const std::string& name) const {
  const std::string path = path_of_open(name);
  system_calls& calls = *handle_.calls_;
  return read_attributes(
      path_of(name),
      [&](char* data, size_t size) { return calls.list_attributes_at(path.c_str(), data, size); },
      [&](const char* which, char* data, size_t size) {
        return calls.get_attribute_at(path.c_str(), which, data, size);
      });
}

int folder::set_attribute_of(const std::string& name, const attribute& which) noexcept {
  return handle_.calls_->set_attribute_at(path_of_open(name).c_str(), which.name.c_str(),
                                          which.value.data(), which.value.size()) == 0
             ? 0
             : errno;
}

}  // namespace lmzip::io
