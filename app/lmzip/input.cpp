#include "app/lmzip/input.h"

#include <utility>

#include "core/io/signals.h"

namespace lmzip::app {
namespace {

constexpr int max_directory_depth = 512;

/// Why a file of this kind is not read, or nullptr if it is.
const char* reason_to_skip(const io::file_status& status, const input_rules& rules) {
  switch (status.kind) {
    case io::file_kind::directory:
      return "is a directory, skipped (use -r to go into it)";
    case io::file_kind::symbolic_link:
      if (rules.will_be_removed) return "is a symbolic link, skipped (it cannot be used with --rm)";
      return "is a symbolic link, skipped (use -f or -c to follow it)";
    case io::file_kind::regular:
      if (rules.will_be_removed && status.links > 1) {
        return "has several hard links, skipped (it cannot be used with --rm)";
      }
      return nullptr;
    default:
      if (rules.will_be_removed) return "is not a regular file, skipped (--rm would remove it)";
      return rules.any_kind ? nullptr : "is not a regular file, skipped (use -c or -o)";
  }
}

bool must_stop(const messages& out) { return io::pending_signal() != 0 || out.output_is_gone(); }

class walker {
 public:
  walker(messages& out, const std::function<void(const std::string&, bool)>& action)
      : out_(out), action_(action) {}

  void visit_directory(const std::string& path, int depth) {
    if (depth == max_directory_depth) {
      out_.warning(path, "directories are nested too deeply, skipped");
      return;
    }
    std::vector<io::directory_entry> entries;
    try {
      entries = io::list_directory(path);
    } catch (...) {
      out_.report(std::current_exception(), path);
    }
    for (const io::directory_entry& entry : entries) {
      if (must_stop(out_)) return;
      const std::string child = path.ends_with('/') ? path + entry.name : path + "/" + entry.name;
      if (entry.kind == io::file_kind::directory) visit_directory(child, depth + 1);
      if (entry.kind == io::file_kind::regular) visit_file(child, true);
    }
  }

  void visit_file(const std::string& path, bool found) {
    try {
      action_(path, found);
    } catch (...) {
      out_.report(std::current_exception(), path == "-" ? "(standard input)" : path);
    }
  }

 private:
  messages& out_;
  const std::function<void(const std::string&, bool)>& action_;
};

bool is_directory(const std::string& path) {
  try {
    const auto status = io::status_of(path, false);
    return status && status->kind == io::file_kind::directory;
  } catch (const io::file_error&) {
    return false;  // opening it will say what is wrong
  }
}

}  // namespace

std::optional<std::uint64_t> input::bytes() const {
  // Files in /proc have contents but size 0.
  if (status.kind != io::file_kind::regular || status.bytes == 0) return std::nullopt;
  return status.bytes;
}

std::optional<input> open_input(const std::string& path, const input_rules& rules, messages& out) {
  if (path == "-") {
    input in{path, "(standard input)", io::file::standard_input(), {}};
    in.status = in.handle.status();
    if (in.status.kind == io::file_kind::directory) {
      out.warning(in.name, "is a directory, skipped");
      return std::nullopt;
    }
    return in;
  }
  const auto before = io::status_of(path, rules.follow_links && !rules.will_be_removed);
  if (!before) {
    out.error(path, "cannot open: No such file or directory", exit_code::failure);
    return std::nullopt;
  }
  if (const char* reason = reason_to_skip(*before, rules)) {
    out.warning(path, reason);
    return std::nullopt;
  }
  input in{path, path, io::file::open_for_reading(path, rules.follow_links), {}};
  // Once more, of the file that is open now: the name may have been given to another one.
  in.status = in.handle.status();
  if (const char* reason = reason_to_skip(in.status, rules)) {
    out.warning(path, reason);
    return std::nullopt;
  }
  return in;
}

void refuse_terminal_input(const input& in, bool force) {
  if (force || !in.handle.is_terminal()) return;
  throw io::file_error::with_text(
      in.name, "compressed data is not read from a terminal (use -f to force it)");
}

std::optional<input> open_archive(const std::string& path, bool force, messages& out) {
  auto in = open_input(path, {.follow_links = true, .any_kind = true}, out);
  if (in) refuse_terminal_input(*in, force);
  return in;
}

bool is_unchanged(const input& in) {
  if (in.status.kind != io::file_kind::regular) return true;
  const io::file_status now = in.handle.status();
  return now.bytes == in.status.bytes && now.modified == in.status.modified;
}

void remove_input(const input& in, messages& out) {
  const auto now = io::status_of(in.path, false);
  if (!now || !io::is_same_file(*now, in.status)) {
    out.warning(in.name, "was replaced meanwhile, not removed");
    return;
  }
  io::remove_file(in.path);
}

void for_each_file(const std::vector<std::string>& paths, bool recursive, messages& out,
                   const std::function<void(const std::string& path, bool found)>& action) {
  walker walk(out, action);
  for (const std::string& path : paths) {
    if (must_stop(out)) return;
    if (recursive && path != "-" && is_directory(path)) {
      walk.visit_directory(path, 0);
    } else {
      walk.visit_file(path, false);
    }
  }
}

}  // namespace lmzip::app
