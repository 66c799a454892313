#pragma once

#include "archive/tree/entry.h"

namespace lmzip::tree {

/// True if what stands at a path now, as a walk found it, is certainly what the previous snapshot
/// has stored as `previous`: kind, size, times of modification and change, and inode are the same,
/// and both times are older than `previous_start`, io::file_clock() when that snapshot began. (A
/// file written within the same tick of the clock keeps its times: only an older one is certain.)
/// Then everything of the previous entry holds but the device number, which may change when a
/// file system is mounted again.
bool is_unchanged(const entry& previous, const entry& found, const io::file_time& previous_start);

}  // namespace lmzip::tree
