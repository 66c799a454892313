#pragma once

#include <cstddef>
#include <vector>

#include "archive/tree/entry.h"

namespace lmzip::tree {

/// Appends an entry without its stamp. The bytes depend on nothing but the entry, so that a stream
/// of sorted entries changes only where the tree does. Throws error(internal) for an entry that
/// entry_reader would refuse.
void write_entry(std::vector<std::byte>& out, const entry& from);

/// Appends a stamp. Stamps make a stream of their own, in the order of the entries: they change
/// when a tree is copied or restored, and entries then do not.
void write_stamp(std::vector<std::byte>& out, const stat_stamp& from);

}  // namespace lmzip::tree
