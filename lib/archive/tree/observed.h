#pragma once

#include <optional>

#include "archive/tree/entry.h"
#include "core/io/owners.h"

namespace lmzip::tree {

/// The kind of entry for what stat() tells; nothing for sockets and what is unknown.
std::optional<entry_kind> kind_of(const io::file_status& status) noexcept;

/// An entry with all that stat() tells: no attributes, target, holes, or content.
entry entry_of(std::string path, entry_kind kind, const io::file_status& status,
               io::owner_names& names);

/// Finds the holes of an open file whose status is `status`.
void find_holes(const io::file& from, const io::file_status& status, entry& into);

}  // namespace lmzip::tree
