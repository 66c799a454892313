#include "core/io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "core/io/signals.h"
#include "core/io/system_calls.h"

namespace lmzip::io {
namespace {

system_calls& kernel_if_null(system_calls* calls) {
  return calls != nullptr ? *calls : system_calls::real();
}

/// EINTR of a signal that does not ask to end: the call is simply made again.
bool must_repeat() {
  if (errno != EINTR) return false;
  throw_if_interrupted();
  return true;
}

file open_file(const std::string& path, int flags, std::string_view doing, system_calls* calls) {
  for (;;) {
    const int descriptor =
        kernel_if_null(calls).open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, 0600);
    if (descriptor >= 0) return file(descriptor, path, calls);
    if (!must_repeat()) throw file_error(path, doing, errno);
  }
}

}  // namespace

file::file(int descriptor, std::string name, system_calls* calls)
    : descriptor_(descriptor), name_(std::move(name)), calls_(&kernel_if_null(calls)) {}

file::file(file&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      owned_(other.owned_),
      name_(std::move(other.name_)),
      calls_(other.calls_) {}

file& file::operator=(file&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(owned_, other.owned_);
  std::swap(name_, other.name_);
  std::swap(calls_, other.calls_);
  return *this;
}

file::~file() {
  if (descriptor_ >= 0 && owned_) calls_->close(descriptor_);
}

file file::open_for_reading(const std::string& path, bool follow_links, system_calls* calls) {
  return open_file(path, O_RDONLY | (follow_links ? 0 : O_NOFOLLOW), "cannot open", calls);
}

file file::open_for_writing(const std::string& path, system_calls* calls) {
  return open_file(path, O_WRONLY, "cannot open for writing", calls);
}

file file::create(const std::string& path, system_calls* calls) {
  return open_file(path, O_WRONLY | O_CREAT | O_EXCL, "cannot create", calls);
}

file file::standard_input(system_calls* calls) {
  file stream(STDIN_FILENO, "(standard input)", calls);
  stream.owned_ = false;
  return stream;
}

file file::standard_output(system_calls* calls) {
  file stream(STDOUT_FILENO, "(standard output)", calls);
  stream.owned_ = false;
  return stream;
}

file file::standard_error(system_calls* calls) {
  file stream(STDERR_FILENO, "(standard error)", calls);
  stream.owned_ = false;
  return stream;
}

void file::fail(std::string_view doing) const { throw file_error(name_, doing, errno); }

std::size_t file::read(std::span<std::byte> out) {
  for (;;) {
    const ssize_t count = calls_->read(descriptor_, out.data(), out.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (!must_repeat()) fail("I/O error while reading");
  }
}

std::size_t file::read_at(std::uint64_t offset, std::span<std::byte> out) {
  for (;;) {
    const ssize_t count =
        calls_->read_at(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
    if (count >= 0) return static_cast<std::size_t>(count);
    if (!must_repeat()) fail("I/O error while reading");
  }
}

void file::write(std::span<const std::byte> data) {
  while (!data.empty()) {
    const ssize_t count = calls_->write(descriptor_, data.data(), data.size());
    if (count >= 0) {
      data = data.subspan(static_cast<std::size_t>(count));
    } else if (!must_repeat()) {
      fail("I/O error while writing");
    }
  }
}

std::optional<std::uint64_t> file::position() const {
  const off_t at = calls_->seek(descriptor_, 0, SEEK_CUR);
  if (at < 0) return std::nullopt;
  return static_cast<std::uint64_t>(at);
}

void file::skip(std::uint64_t bytes) {
  if (calls_->seek(descriptor_, static_cast<off_t>(bytes), SEEK_CUR) < 0) {
    fail("I/O error while seeking");
  }
}

void file::set_length(std::uint64_t bytes) {
  while (calls_->truncate(descriptor_, static_cast<off_t>(bytes)) != 0) {
    if (!must_repeat()) fail("I/O error while writing");
  }
}

std::optional<std::uint64_t> file::next_data(std::uint64_t offset) const {
  const off_t at = calls_->seek(descriptor_, static_cast<off_t>(offset), SEEK_DATA);
  if (at >= 0) return static_cast<std::uint64_t>(at);
  if (errno == ENXIO) return std::nullopt;
  if (errno == EINVAL || errno == ENOTSUP) return offset;
  fail("I/O error while seeking");
}

std::uint64_t file::next_hole(std::uint64_t offset) const {
  const off_t at = calls_->seek(descriptor_, static_cast<off_t>(offset), SEEK_HOLE);
  if (at >= 0) return static_cast<std::uint64_t>(at);
  if (errno == EINVAL || errno == ENOTSUP) return status().bytes;
  fail("I/O error while seeking");
}

bool file::appends() const noexcept {
  const int flags = ::fcntl(descriptor_, F_GETFL);
  return flags < 0 || (flags & O_APPEND) != 0;
}

bool file::is_terminal() const noexcept { return ::isatty(descriptor_) == 1; }

unsigned file::terminal_columns() const noexcept {
  struct winsize size = {};
  if (::ioctl(descriptor_, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

void file::expect_sequential_reading() const noexcept {
  (void)::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
}

void file::sync() {
  while (calls_->sync(descriptor_) != 0) {
    if (!must_repeat()) fail("I/O error while syncing");
  }
}

void file::close() {
  // On Linux the descriptor is gone whatever close() returns; EINTR must not be repeated.
  const int descriptor = std::exchange(descriptor_, -1);
  if (calls_->close(descriptor) != 0 && errno != EINTR) fail("I/O error while closing");
}

bool file::set_mode(unsigned mode) noexcept {
  return calls_->change_mode(descriptor_, static_cast<mode_t>(mode)) == 0;
}

bool file::set_owner(std::optional<unsigned> owner, std::optional<unsigned> group) noexcept {
  return calls_->change_owner(descriptor_, owner.value_or(static_cast<uid_t>(-1)),
                              group.value_or(static_cast<gid_t>(-1))) == 0;
}

bool file::set_times(const file_time& accessed, const file_time& modified) noexcept {
  const struct timespec times[2] = {
      {static_cast<time_t>(accessed.seconds), static_cast<long>(accessed.nanoseconds)},
      {static_cast<time_t>(modified.seconds), static_cast<long>(modified.nanoseconds)}};
  return calls_->change_times(descriptor_, times) == 0;
}

bool file::set_modified(const file_time& modified) noexcept {
  const struct timespec times[2] = {
      {0, UTIME_OMIT},
      {static_cast<time_t>(modified.seconds), static_cast<long>(modified.nanoseconds)}};
  return calls_->change_times(descriptor_, times) == 0;
}

void reserve_standard_descriptors() noexcept {
  for (int wanted = 0; wanted <= 2; ++wanted) {
    if (::fcntl(wanted, F_GETFD) >= 0) continue;
    // Opened the wrong way round on purpose: reading from a closed standard input must fail, and
    // so must writing to a closed standard output.
    (void)::open("/dev/null", wanted == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

unsigned new_file_mode() noexcept {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~static_cast<unsigned>(mask);
}

bool is_superuser() noexcept { return ::geteuid() == 0; }

unsigned effective_user() noexcept { return ::geteuid(); }

}  // namespace lmzip::io
