#include "core/io/temporary_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <random>
#include <utility>

#include "core/io/system_calls.h"

namespace lmzip::io {
namespace {

/// Names of the temporary files that exist, where a signal handler can read them: plain memory, a
/// slot is valid while its flag is set.
struct slot {
  std::atomic<bool> taken{false};
  std::atomic<bool> valid{false};
  char path[PATH_MAX];
};
std::array<slot, 4> slots;

/// Without a free slot the file is just not removed if a signal ends the process at once.
void remember(const std::string& path) noexcept {
  if (path.size() >= PATH_MAX) return;
  for (slot& each : slots) {
    if (each.taken.exchange(true)) continue;
    std::memcpy(each.path, path.c_str(), path.size() + 1);
    each.valid = true;
    return;
  }
}

void forget(const std::string& path) noexcept {
  for (slot& each : slots) {
    if (!each.valid || path != each.path) continue;
    each.valid = false;
    each.taken = false;
    return;
  }
}

/// The name is short and does not contain the final one, so that it fits wherever that fits.
std::string temporary_name(const std::string& final_path) {
  std::random_device random;
  char digits[32];
  std::snprintf(digits, sizeof digits, ".lmzip-%08x%08x.tmp", random(), random());
  const auto slash = final_path.rfind('/');
  return slash == std::string::npos ? digits : final_path.substr(0, slash + 1) + digits;
}

/// Errors that say "this file system or kernel cannot do that", not "the name is taken".
bool is_not_supported(int reason) {
  return reason == ENOSYS || reason == EINVAL || reason == ENOTSUP || reason == EPERM ||
         reason == EMLINK;
}

}  // namespace

temporary_file::temporary_file(std::string final_path, system_calls* calls)
    : final_path_(std::move(final_path)), calls_(calls != nullptr ? *calls : system_calls::real()) {
  constexpr int attempts = 100;
  std::string shown_name = final_path_;
  for (int i = 1;; ++i) {
    path_ = temporary_name(final_path_);
    try {
      remember(path_);
      handle_ = file::create(path_, calls);
      handle_.set_name(std::move(shown_name));
      exists_ = true;
      return;
    } catch (const file_error& failure) {
      forget(path_);
      if (failure.is_existing() && i < attempts) continue;
      // The user knows the final name only.
      throw file_error(final_path_, "cannot create", failure.reason());
    } catch (...) {
      forget(path_);
      throw;
    }
  }
}

temporary_file::~temporary_file() {
  if (!exists_) return;
  calls_.unlink(path_.c_str());
  forget(path_);
}

void temporary_file::commit(bool replace, bool durable) {
  if (durable) handle_.sync();
  handle_.close();
  if (!replace) {
    rename_without_replacing();
  } else if (calls_.rename(path_.c_str(), final_path_.c_str()) != 0) {
    throw file_error(final_path_, "cannot replace", errno);
  }
  exists_ = false;
  forget(path_);
  if (durable) sync_directory_of(final_path_, &calls_);
}

void temporary_file::rename_without_replacing() {
  const char* from = path_.c_str();
  const char* to = final_path_.c_str();
  if (calls_.rename_without_replacing(from, to) == 0) return;
  if (!is_not_supported(errno)) throw file_error(final_path_, "cannot create", errno);
  // A hard link does not replace either.
  if (calls_.link(from, to) == 0) {
    calls_.unlink(from);
    return;
  }
  if (!is_not_supported(errno)) throw file_error(final_path_, "cannot create", errno);
  // Neither is there (FAT through old drivers): an empty file created exclusively keeps the name
  // for us until the rename. A crash just between leaves it empty, which no reader takes for data.
  file::create(final_path_, &calls_).close();
  if (calls_.rename(from, to) != 0) {
    const int reason = errno;
    calls_.unlink(to);
    throw file_error(final_path_, "cannot create", reason);
  }
}

void remove_temporary_files() noexcept {
  for (const slot& each : slots) {
    if (each.valid) ::unlink(each.path);
  }
}

}  // namespace lmzip::io
