#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "archive/tree/entry.h"
#include "archive/tree/restore_target.h"
#include "archive/tree/restored_metadata.h"
#include "lmzip/stream.h"

namespace lmzip::tree {

struct restore_options {
  bool replace = false;         ///< files that exist, but never directories
  bool numeric_owners = false;  ///< owners by number even where their names are known
  io::system_calls* calls = nullptr;
};

/// Makes the entries of a tree below a target folder and never outside it, whatever entries say and
/// whoever changes the target meanwhile. Entries may come in any order; directories get their
/// modes and times in finish(), those that an entry needs but that have none get the usual mode.
///
/// As an ordinary user it restores what such a user may: losses of one kind are reported once.
/// Directories that exist keep their metadata, unless `replace` is set. Not thread-safe.
class restorer {
 public:
  /// Writes the data of a file, without its holes: entry.content, in order.
  using content_writer = std::function<void(sink& to)>;

  enum class outcome {
    restored,
    /// A hard link to an entry that was not restored, or the file system has no hard links: restore
    /// a copy of the target under this path instead.
    needs_copy,
    left_out,  ///< what this user may not create; counted as loss::devices
  };

  /// Makes the target folder if it is missing. Throws file_error.
  restorer(const std::string& target, const restore_options& options, loss_reporter report);

  /// Makes one entry. `content` is called for files that have data. Throws file_error, with the
  /// path that the entry would have, if it cannot be made or something is there already; what
  /// `content` throws; and error(damaged) for a path that is none. Then nothing of the entry is
  /// left, what was there before stays, and others can be restored.
  outcome restore(const entry& from, const content_writer& content);

  /// Sets the metadata of directories, and removes what helped. Returns those that could not be
  /// found again, as errors to report. Call once, at the end, also after errors.
  std::vector<io::file_error> finish();

  const loss_counter& lost() const noexcept { return lost_; }

 private:
  struct made_directory {
    entry from;
    io::file_status status;
  };

  outcome make(const entry& from, const content_writer& content, const std::string& shown);
  void make_directory(const entry& from);
  void make_file(const entry& from, const content_writer& content, const std::string& shown);
  outcome make_node(const entry& from, const std::string& shown);
  outcome make_hard_link(const entry& from);
  void finish_directory(const made_directory& which);
  void refuse_existing(io::folder& in, const std::string& name) const;
  std::string shown(const entry& of) const;

  restore_options options_;
  restore_target target_;
  loss_counter lost_;
  metadata_writer metadata_;
  std::vector<made_directory> directories_;
  std::map<std::string, io::file_status> linked_;  ///< restored files that have more names
};

}  // namespace lmzip::tree
