#include "archive/tree/walker.h"

#include <cerrno>
#include <exception>
#include <set>
#include <utility>

#include "archive/tree/link_table.h"
#include "archive/tree/observed.h"
#include "archive/tree/roots.h"
#include "archive/tree/walk_stack.h"
#include "core/io/signals.h"

namespace lmzip::tree {
namespace {

constexpr std::string_view cache_tag = "CACHEDIR.TAG";
constexpr std::string_view cache_signature = "Signature: 8a477f597d28d172789f06886806bc55";

/// The visitor threw a file_error, which must not be taken for one of the tree's.
struct visitor_failed {
  std::exception_ptr cause;
};

template <class Call>
auto of_visitor(const Call& call) {
  try {
    return call();
  } catch (const io::file_error&) {
    throw visitor_failed{std::current_exception()};
  }
}

struct path_order {
  bool operator()(const std::string& a, const std::string& b) const noexcept {
    return compare_paths(a, b) < 0;
  }
};

class walker {
 public:
  walker(const walk_options& options, visitor& to)
      : options_(options), to_(to), stack_(options.calls) {}

  void walk_all(std::span<const std::string> paths);

 private:
  void walk_root(const root& from);
  void begin(const root& from);
  void visit(const std::string& name);
  void visit_found(const io::folder& parent, const std::string& name,
                   const io::file_status& status);
  void visit_directory(const io::folder& parent, const std::string& name,
                       const io::file_status& status);
  void visit_open_directory(io::folder opened);
  void visit_file(const io::folder& parent, const std::string& name, const io::file_status& status);
  void visit_other(const io::folder& parent, const std::string& name, entry_kind kind,
                   const io::file_status& status);
  void enter(io::folder opened, bool only_inner);
  void keep_named(std::vector<std::string>& names) const;
  bool is_cache(const io::folder& opened) const;
  bool is_left_out(const io::file_status& status, bool is_directory) const;
  bool is_named(const std::string& path) const { return inner_.count(path) != 0; }
  bool leads_to_named(const std::string& path) const;
  bool take_as_link(const io::file_status& status);
  bool reuse(const entry& found);
  bool store(entry& found, io::file* content);
  template <class Read>
  void read_attributes(entry& into, const Read& read);
  void report(problem_kind kind, const std::string& path, std::string text);
  void report_failure(const io::file_error& cause);
  std::string path_in(const std::string& name) const;
  std::string shown(const std::string& path) const;

  const walk_options& options_;
  visitor& to_;
  walk_stack stack_;
  link_table links_;
  io::owner_names owners_;
  /// What the user named below the present root, and tags of caches: until they are found.
  std::set<std::string, path_order> inner_;
  const root* root_ = nullptr;
  std::string path_;  ///< of the present entry
};

// --- what the visitor is asked and told

bool walker::reuse(const entry& found) {
  return of_visitor([&] { return to_.reuse(found); });
}

bool walker::store(entry& found, io::file* content) {
  return of_visitor([&] { return to_.store(found, content); });
}

void walker::report(problem_kind kind, const std::string& path, std::string text) {
  of_visitor([&] { to_.report({kind, path, std::move(text)}); });
}

void walker::report_failure(const io::file_error& cause) {
  // A name that was listed and is now missing, or no directory or a link where there was none.
  const bool has_gone =
      cause.reason() == ENOENT || cause.reason() == ENOTDIR || cause.reason() == ELOOP;
  report(has_gone ? problem_kind::vanished : problem_kind::unreadable, shown(path_), cause.what());
}

std::string walker::shown(const std::string& path) const {
  const std::size_t stored = root_->stored.size();
  if (path.size() <= stored) return root_->given;
  std::string text = root_->given;
  if (text.back() != '/') text += '/';
  return text + path.substr(stored == 0 ? 0 : stored + 1);
}

// --- what belongs to the walk

std::string walker::path_in(const std::string& name) const {
  return path_.empty() ? name : path_ + "/" + name;
}

bool walker::leads_to_named(const std::string& path) const {
  const auto next = inner_.upper_bound(path);
  return next != inner_.end() && is_below(*next, path);
}

bool walker::is_left_out(const io::file_status& status, bool is_directory) const {
  if (is_named(path_)) return false;
  if (options_.excluded.excludes(path_, is_directory)) return true;
  // Where another file system begins, the directory itself is kept.
  return !is_directory && options_.one_file_system && status.device != stack_.top().device;
}

bool walker::is_cache(const io::folder& opened) const {
  try {
    const std::string name(cache_tag);
    const auto status = opened.status_of(name);
    if (!status || status->kind != io::file_kind::regular) return false;
    std::string text(cache_signature.size(), '\0');
    io::file tag = opened.open_file(name);
    return tag.read_at(0, std::as_writable_bytes(std::span(text))) == text.size() &&
           text == cache_signature;
  } catch (const io::file_error&) {
    return false;
  }
}

/// Of the names in the present directory, those that are named or lead to what is.
void walker::keep_named(std::vector<std::string>& names) const {
  std::erase_if(names, [this](const std::string& name) {
    const std::string path = path_in(name);
    return !is_named(path) && !leads_to_named(path);
  });
}

// --- the walk

void walker::walk_all(std::span<const std::string> paths) {
  const walk_roots roots = arrange_roots(paths, options_.calls);
  for (const root& from : roots.walked) {
    root_ = &from;
    inner_.clear();
    for (const std::string& each : roots.inner)
      if (is_below(each, from.stored)) inner_.insert(each);
    walk_root(from);
    for (const std::string& each : inner_)
      report(problem_kind::missing, shown(each), "cannot be reached");
  }
}

void walker::walk_root(const root& from) {
  path_ = from.stored;
  try {
    begin(from);
  } catch (const io::file_error& cause) {
    const bool is_missing = cause.reason() == ENOENT || cause.reason() == ENOTDIR;
    report(is_missing ? problem_kind::missing : problem_kind::unreadable, from.given, cause.what());
  }
  while (!stack_.is_empty()) {
    io::throw_if_interrupted();
    walk_level& level = stack_.top();
    path_.resize(level.path_bytes);
    if (level.next < level.names.size()) {
      const std::string name = std::move(level.names[level.next++]);
      path_ = path_in(name);
      visit(name);
      inner_.erase(path_);
    } else if (!stack_.pop(from, path_)) {
      path_.resize(stack_.top().path_bytes);
      report(problem_kind::vanished, shown(path_), "moved while it was read");
    }
  }
}

/// Visits the root itself. Throws file_error if it cannot be opened.
void walker::begin(const root& from) {
  if (names_directory(from.given)) {
    visit_open_directory(io::folder::open(from.given, options_.calls));
    return;
  }
  const io::folder parent = io::folder::open(io::directory_of(from.given), options_.calls);
  const std::string name(name_of(from.given));
  const auto status = parent.status_of(name);
  if (!status) throw io::file_error(from.given, "cannot open", ENOENT);
  visit_found(parent, name, *status);
}

void walker::visit(const std::string& name) {
  const walk_level& level = stack_.top();
  try {
    const auto status = level.folder.status_of(name);
    if (!status) throw io::file_error(path_, "cannot open", ENOENT);
    const bool is_directory = status->kind == io::file_kind::directory;
    const bool is_passed_only = level.only_inner && !is_named(path_);
    if (!is_passed_only && !is_left_out(*status, is_directory)) {
      visit_found(level.folder, name, *status);
    } else if (is_directory && leads_to_named(path_)) {
      enter(level.folder.open_folder(name), true);
    }
  } catch (const io::file_error& cause) {
    report_failure(cause);
  }
}

void walker::visit_found(const io::folder& parent, const std::string& name,
                         const io::file_status& status) {
  const auto kind = kind_of(status);
  for (const io::file_status& each : options_.left_out) {
    if (!io::is_same_file(each, status)) continue;
    report(problem_kind::skipped, shown(path_), "is the archive itself: not stored");
    return;
  }
  if (!kind) {
    const bool is_socket = status.kind == io::file_kind::socket;
    report(problem_kind::skipped, shown(path_),
           is_socket ? "is a socket: not stored" : "of unknown kind: not stored");
  } else if (kind == entry_kind::directory) {
    visit_directory(parent, name, status);
  } else if (!take_as_link(status)) {
    if (kind == entry_kind::file) {
      visit_file(parent, name, status);
    } else {
      visit_other(parent, name, *kind, status);
    }
  }
}

bool walker::take_as_link(const io::file_status& status) {
  if (status.links < 2) return false;
  entry link;
  link.target = links_.find(status);
  if (link.target.empty()) return false;
  link.kind = entry_kind::hard_link;
  link.path = path_;
  link.stamp = {status.changed, status.inode, status.device};
  store(link, nullptr);
  return true;
}

template <class Read>
void walker::read_attributes(entry& into, const Read& read) {
  try {
    into.attributes = read();
  } catch (const io::file_error& cause) {
    report(problem_kind::unreadable, shown(path_), cause.what());
  }
}

void walker::visit_directory(const io::folder& parent, const std::string& name,
                             const io::file_status& status) {
  io::folder opened;
  try {
    opened = parent.open_folder(name);
  } catch (const io::file_error& cause) {
    report_failure(cause);
    if (cause.reason() != EACCES && cause.reason() != EPERM) return;
    // That it is there, and whose it is, is known.
    entry found = entry_of(path_, entry_kind::directory, status, owners_);
    store(found, nullptr);
    return;
  }
  visit_open_directory(std::move(opened));
}

void walker::visit_open_directory(io::folder opened) {
  entry found = entry_of(path_, entry_kind::directory, opened.status(), owners_);
  if (!reuse(found)) {
    read_attributes(found, [&] { return opened.attributes(); });
    store(found, nullptr);
  }
  enter(std::move(opened), false);
}

/// Goes on with what the directory `path_` holds; with `only_inner`, only with what is named.
void walker::enter(io::folder opened, bool only_inner) {
  const io::file_status status = opened.status();
  const bool is_start = stack_.is_empty() || is_named(path_);
  const std::uint64_t device = is_start ? status.device : stack_.top().device;
  if (options_.one_file_system && status.device != device) only_inner = true;
  if (!only_inner && options_.skip_caches && is_cache(opened)) {
    inner_.insert(path_in(std::string(cache_tag)));
    only_inner = true;
  }
  if (only_inner && !leads_to_named(path_)) return;
  walk_level level;
  level.status = status;
  level.device = device;
  level.path_bytes = path_.size();
  level.only_inner = only_inner;
  level.names = opened.names();
  if (only_inner) keep_named(level.names);
  level.folder = std::move(opened);
  stack_.push(std::move(level));
}

void walker::visit_file(const io::folder& parent, const std::string& name,
                        const io::file_status& status) {
  entry found = entry_of(path_, entry_kind::file, status, owners_);
  if (reuse(found)) {
    links_.add(status, path_);
    return;
  }
  io::file opened = parent.open_file(name);
  const io::file_status now = opened.status();
  if (now.kind != io::file_kind::regular) {
    report(problem_kind::vanished, shown(path_), "became something else while it was read");
    return;
  }
  if (!io::is_same_file(now, status) || now.changed != status.changed)
    found = entry_of(path_, entry_kind::file, now, owners_);
  find_holes(opened, now, found);
  read_attributes(found, [&] { return opened.attributes(); });
  if (store(found, &opened)) links_.add(now, path_);
}

void walker::visit_other(const io::folder& parent, const std::string& name, entry_kind kind,
                         const io::file_status& status) {
  entry found = entry_of(path_, kind, status, owners_);
  if (!reuse(found)) {
    if (kind == entry_kind::symbolic_link) found.target = parent.read_link(name);
    read_attributes(found, [&] { return parent.attributes_of(name); });
    if (!store(found, nullptr)) return;
  }
  links_.add(status, path_);
}

}  // namespace

void walk(std::span<const std::string> paths, const walk_options& options, visitor& to) {
  for (const std::string& each : paths)
    if (each.empty()) throw error(errc::usage, "empty path");
  try {
    walker(options, to).walk_all(paths);
  } catch (const visitor_failed& failure) {
    std::rethrow_exception(failure.cause);
  }
}

}  // namespace lmzip::tree
