#include "archive/tree/restorer.h"

#include <algorithm>
#include <cerrno>

#include "archive/tree/data_sink.h"

namespace lmzip::tree {
namespace {

/// What mknod() is asked for.
io::file_status node_of(const entry& from) {
  io::file_status node;
  node.kind = from.kind == entry_kind::fifo ? io::file_kind::fifo : io::file_kind::device;
  node.is_block_device = from.kind == entry_kind::block_device;
  node.device_major = from.device_major;
  node.device_minor = from.device_minor;
  return node;
}

bool is_not_supported(const io::file_error& cause) {
  const int reason = cause.reason();
  return reason == EPERM || reason == ENOTSUP || reason == ENOSYS || reason == EINVAL;
}

}  // namespace

restorer::restorer(const std::string& target, const restore_options& options, loss_reporter report)
    : options_(options),
      target_(target, options.calls),
      lost_(std::move(report)),
      metadata_(options.numeric_owners, lost_) {}

std::string restorer::shown(const entry& of) const {
  return of.path.empty() ? target_.top().path() : target_.top().path_of(of.path);
}

restorer::outcome restorer::restore(const entry& from, const content_writer& content) {
  if (!is_entry_path(from.path) || (from.path.empty() && from.kind != entry_kind::directory))
    throw error(errc::damaged, "path that leads out of the tree");
  const std::string path = shown(from);
  try {
    return make(from, content, path);
  } catch (const io::file_error& cause) {
    target_.discard();
    throw cause.with_path(path);
  } catch (...) {
    target_.discard();
    throw;
  }
}

restorer::outcome restorer::make(const entry& from, const content_writer& content,
                                 const std::string& shown) {
  switch (from.kind) {
    case entry_kind::directory:
      make_directory(from);
      return outcome::restored;
    case entry_kind::file:
      make_file(from, content, shown);
      return outcome::restored;
    case entry_kind::hard_link:
      return make_hard_link(from);
    default:
      return make_node(from, shown);
  }
}

/// Throws if there is something and it may not be replaced.
void restorer::refuse_existing(io::folder& in, const std::string& name) const {
  const auto there = in.status_of(name);
  if (!there) return;
  if (!options_.replace) throw io::file_error(name, "cannot create", EEXIST);
  if (there->kind == io::file_kind::directory) throw io::file_error(name, "cannot replace", EISDIR);
}

void restorer::make_directory(const entry& from) {
  if (from.path.empty()) {
    if (target_.is_new() || options_.replace)
      directories_.push_back({from, target_.top().status()});
    return;
  }
  io::folder& in = target_.parent(from.path);
  const std::string name(name_of(from.path));
  bool is_new = in.make_directory(name, 0700) || target_.has_made(from.path);
  if (!is_new && options_.replace) {
    const auto there = in.status_of(name);
    if (there && there->kind != io::file_kind::directory) {
      in.remove(name, false);
      is_new = in.make_directory(name, 0700);
    }
  }
  const auto status = in.status_of(name);
  if (!status || status->kind != io::file_kind::directory)
    throw io::file_error(name, "cannot create", EEXIST);
  if (is_new || options_.replace) directories_.push_back({from, *status});
}

void restorer::make_file(const entry& from, const content_writer& content,
                         const std::string& shown) {
  io::folder& in = target_.parent(from.path);
  const std::string name(name_of(from.path));
  refuse_existing(in, name);
  io::file made = target_.workshop().create_file(target_.new_name());
  made.set_name(shown);
  data_sink to(made, from);
  if (data_bytes(from) > 0) content(to);
  to.finish();
  metadata_.apply(made, from, shown);
  if (from.links > 1) linked_[from.path] = made.status();
  try {
    made.close();
    target_.publish(name, options_.replace);
  } catch (...) {
    linked_.erase(from.path);
    throw;
  }
}

restorer::outcome restorer::make_node(const entry& from, const std::string& shown) {
  io::folder& in = target_.parent(from.path);
  const std::string name(name_of(from.path));
  refuse_existing(in, name);
  io::folder& workshop = target_.workshop();
  try {
    if (from.kind == entry_kind::symbolic_link) {
      workshop.make_link(target_.new_name(), from.target);
    } else {
      workshop.make_node(target_.new_name(), node_of(from));
    }
  } catch (const io::file_error& cause) {
    if (!is_not_supported(cause)) throw;
    lost_.add(loss::devices, shown, "not restored", cause.reason());
    return outcome::left_out;
  }
  if (target_.is_private()) {
    metadata_.apply(workshop, target_.new_name(), from, shown);
  } else {
    // By name it could hit something that another user has put there.
    lost_.add(loss::owner, shown, "no metadata set in a folder that belongs to somebody else", 0);
  }
  const auto status = workshop.status_of(target_.new_name());
  target_.publish(name, options_.replace);
  if (from.links > 1 && status) linked_[from.path] = *status;
  return outcome::restored;
}

restorer::outcome restorer::make_hard_link(const entry& from) {
  const auto known = linked_.find(from.target);
  if (known == linked_.end()) return outcome::needs_copy;
  io::folder& in = target_.parent(from.path);
  const std::string name(name_of(from.path));
  refuse_existing(in, name);
  io::folder source;
  const std::string above(parent_of(from.target));
  if (!above.empty()) source = target_.top().open_beneath(above);
  io::folder& workshop = target_.workshop();
  try {
    workshop.make_hard_link(target_.new_name(), above.empty() ? target_.top() : source,
                            std::string(name_of(from.target)));
  } catch (const io::file_error& cause) {
    if (cause.reason() != EMLINK && cause.reason() != EXDEV && !is_not_supported(cause)) throw;
    return outcome::needs_copy;
  }
  // Only now it is certain which file that was.
  const auto status = workshop.status_of(target_.new_name());
  if (!status || !io::is_same_file(*status, known->second))
    throw io::file_error::with_text(from.path, "target was replaced while restoring");
  target_.publish(name, options_.replace);
  return outcome::restored;
}

void restorer::finish_directory(const made_directory& which) {
  const std::string& path = which.from.path;
  io::folder opened;
  if (!path.empty()) opened = target_.top().open_beneath(path);
  io::folder& found = path.empty() ? target_.top() : opened;
  if (!io::is_same_file(found.status(), which.status))
    throw io::file_error::with_text(path, "was replaced while restoring");
  metadata_.apply(found.handle(), which.from, shown(which.from));
}

std::vector<io::file_error> restorer::finish() {
  target_.close();
  // From below: a mode can close the way to what is inside.
  std::sort(directories_.begin(), directories_.end(),
            [](const made_directory& a, const made_directory& b) {
              return compare_paths(a.from.path, b.from.path) > 0;
            });
  std::vector<io::file_error> failures;
  for (const made_directory& each : directories_) {
    try {
      finish_directory(each);
    } catch (const io::file_error& cause) {
      failures.push_back(cause.with_path(shown(each.from)));
    }
  }
  directories_.clear();
  return failures;
}

}  // namespace lmzip::tree
