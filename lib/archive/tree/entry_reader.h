#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "archive/tree/entry.h"
#include "core/cursor.h"

namespace lmzip::tree {

/// Reads one entry as write_entry() wrote it, without a stamp, and nothing behind it. Any bytes
/// give an entry or error(damaged), error(truncated), or error(unsupported) for a later version.
/// Needs memory in proportion to the entry's own bytes. What it returns satisfies all that entry.h
/// says; writing it again gives the same bytes.
entry read_entry(cursor& in);

stat_stamp read_stamp(cursor& in);

/// Reads a stream of entries and checks that they are sorted, so that no path comes twice, and that
/// what holds an entry is a directory as far as it is itself an entry.
class entry_stream {
 public:
  /// `bytes` must outlive it; `base` is their position for the offsets of errors.
  explicit entry_stream(std::span<const std::byte> bytes, std::uint64_t base = 0)
      : in_(bytes, base) {}

  /// Nothing at the end.
  std::optional<entry> next();

 private:
  cursor in_;
  bool is_first_ = true;
  std::string last_path_;
  std::string last_leaf_;  ///< the last entry that was no directory
};

}  // namespace lmzip::tree
