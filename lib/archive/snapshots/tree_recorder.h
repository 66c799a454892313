#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "archive/snapshots/chunk_store.h"
#include "archive/snapshots/snapshot_writer.h"
#include "archive/tree/known_entries.h"
#include "archive/tree/walker.h"

namespace lmzip::archive {

/// Takes the entries of a walk and puts what is new into a chunk_store.
class tree_recorder final : public tree::visitor {
 public:
  /// `previous` gives the entries of the snapshot before, which began at `previous_start`.
  tree_recorder(chunk_store& store, std::function<std::optional<tree::entry>()> previous,
                const io::file_time& previous_start, snapshot_report& into,
                const problem_reporter& report)
      : store_(store),
        previous_(std::move(previous)),
        previous_start_(previous_start),
        into_(into),
        report_(report) {}

  bool reuse(const tree::entry& found) override;
  bool store(tree::entry& found, io::file* content) override;
  void report(const tree::problem& found) override;

  /// Places the chunks of files, then stores the tree itself, and says where.
  void finish(root_record& into);

 private:
  struct recorded {
    tree::entry entry;
    bool is_new = false;  ///< its extents are still to be resolved
  };
  bool store_content(tree::entry& found, io::file& from);

  chunk_store& store_;
  tree::known_entries previous_;
  io::file_time previous_start_;
  snapshot_report& into_;
  const problem_reporter& report_;
  std::vector<recorded> entries_;
};

}  // namespace lmzip::archive
