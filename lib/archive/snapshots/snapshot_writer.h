#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "archive/chunks/chunker.h"
#include "archive/snapshots/root_record.h"
#include "archive/tree/walker.h"

namespace lmzip::archive {

struct snapshot_options {
  tree::walk_options walk;
  int level = 6;
  std::uint64_t block_bytes = 0;  ///< 0: as the level has it
  unsigned threads = 1;           ///< 0: one per core
  std::uint64_t memory_limit = 0;
  bool read_all = false;  ///< also files that are unchanged by what stat() tells
  std::string tag;
  std::string host;  ///< empty: not stored
};

struct snapshot_report {
  hash256 id{};  ///< of the new member
  snapshot_counts counts;
  std::uint64_t coded_bytes = 0;    ///< what the archive has grown by
  std::uint64_t reused_files = 0;   ///< not read
  std::uint64_t changed_files = 0;  ///< while they were read: stored as read
  std::uint64_t failed_files = 0;   ///< could not be read: left out
  std::uint64_t cut_bytes = 0;      ///< of an append that was cut short
};

/// Told of what could not be had, or changed while it was read. The snapshot goes on.
using problem_reporter = std::function<void(const tree::problem& found)>;

/// Makes a new archive with one snapshot of `paths`. Throws file_error if there is something of
/// that name, and what add_snapshot() throws; then nothing is left.
snapshot_report create_snapshots(const std::string& archive, std::span<const std::string> paths,
                                 const snapshot_options& options, const problem_reporter& report);

/// Appends a snapshot. The archive keeps its state until the new trailer is written, before which
/// everything else is synced; after an error it is as it was. Cuts what an append before has left.
/// The caller keeps others from writing.
///
/// Throws error: usage (paths, level), io, damaged, truncated, unsupported, memory_limit, canceled.
snapshot_report add_snapshot(const std::string& archive, std::span<const std::string> paths,
                             const snapshot_options& options, const problem_reporter& report);

}  // namespace lmzip::archive
