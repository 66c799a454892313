#include "archive/tree/restore_target.h"

#include <cerrno>
#include <cstdio>
#include <random>
#include <utility>

#include "archive/tree/entry.h"

namespace lmzip::tree {
namespace {

std::string random_name() {
  std::random_device random;
  char name[40];
  std::snprintf(name, sizeof name, ".lmzip-%08x%08x.tmp", random(), random());
  return name;
}

std::string without_slashes_behind(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

/// Opens `path`, making it and what is above it where missing; `made` tells whether it was.
io::folder open_or_make(const std::string& path, io::system_calls* calls, bool& made) {
  try {
    return io::folder::open(path, calls);
  } catch (const io::file_error& cause) {
    const std::string above = io::directory_of(path);
    if (cause.reason() != ENOENT || above == path || path == ".") throw;
    bool ignored = false;
    io::folder parent = open_or_make(without_slashes_behind(above), calls, ignored);
    made = parent.make_directory(std::string(name_of(path)), 0777);
    return io::folder::open(path, calls);
  }
}

}  // namespace

restore_target::restore_target(const std::string& path, io::system_calls* calls)
    : top_(open_or_make(without_slashes_behind(path), calls, is_new_)) {}

restore_target::~restore_target() { close(); }

const std::string& restore_target::new_name() {
  static const std::string name = "new";
  return name;
}

io::folder restore_target::make_path(std::string_view path) {
  io::folder made;
  io::folder* above = &top_;
  for (std::size_t end = 0; end != path.npos;) {
    const std::size_t begin = end == 0 ? 0 : end + 1;
    end = path.find('/', begin);
    const std::string name(path.substr(begin, end - begin));
    if (above->make_directory(name, 0777)) made_.emplace(path.substr(0, end));
    io::folder next = above->open_folder(name);
    made = std::move(next);
    above = &made;
  }
  return made;
}

io::folder& restore_target::parent(std::string_view path) {
  const std::string_view wanted = parent_of(path);
  if (has_parent_ && parent_path_ == wanted) return wanted.empty() ? top_ : parent_;
  close();
  if (!wanted.empty()) {
    const bool goes_down = has_parent_ && !parent_path_.empty() && is_below(wanted, parent_path_);
    const io::folder from = goes_down ? std::move(parent_) : io::folder();
    has_parent_ = false;
    try {
      parent_ = goes_down ? from.open_beneath(std::string(wanted.substr(parent_path_.size() + 1)))
                          : top_.open_beneath(std::string(wanted));
    } catch (const io::file_error& cause) {
      if (cause.reason() != ENOENT) throw;
      parent_ = make_path(wanted);
    }
  }
  parent_path_ = wanted;
  has_parent_ = true;
  return wanted.empty() ? top_ : parent_;
}

io::folder& restore_target::workshop() {
  if (workshop_.is_open()) return workshop_;
  io::folder& in = parent_path_.empty() ? top_ : parent_;
  std::string name = random_name();
  while (!in.make_directory(name, 0700)) name = random_name();
  try {
    workshop_ = in.open_folder(name);
    const io::file_status status = workshop_.status();
    is_private_ = status.owner == io::effective_user() && (status.mode & 077) == 0;
  } catch (...) {
    workshop_ = io::folder();
    in.remove(name, true);
    throw;
  }
  workshop_name_ = name;
  return workshop_;
}

void restore_target::publish(const std::string& name, bool replace) {
  io::folder& in = parent_path_.empty() ? top_ : parent_;
  in.take(name, workshop_, new_name(), replace);
  // If both were names of one file, it still has both.
  if (replace) discard();
}

void restore_target::discard() noexcept {
  try {
    if (workshop_.is_open()) workshop_.remove(new_name(), false);
  } catch (const io::file_error&) {
    // Mostly there is none.
  }
}

void restore_target::close() noexcept {
  if (!workshop_.is_open()) return;
  discard();
  workshop_ = io::folder();
  try {
    (parent_path_.empty() ? top_ : parent_).remove(workshop_name_, true);
  } catch (const io::file_error&) {
    // An empty folder stays; nothing is lost.
  }
}

}  // namespace lmzip::tree
