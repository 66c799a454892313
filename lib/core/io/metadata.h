#pragma once

#include "core/io/file.h"

namespace lmzip::io {

/// What copy_metadata() could not keep.
struct metadata_losses {
  bool owner = false;  ///< only reported for root: nobody else can give files away
  bool group = false;
  bool mode = false;
  bool times = false;

  bool any() const noexcept { return owner || group || mode || times; }
};

/// Gives `to`, a regular file that this process created, the owner, group, permission bits and
/// times (to the nanosecond) of `from`, through its descriptor. Set-user-id, set-group-id and
/// sticky bits are never copied. If the group cannot be set, group and others both get only the
/// bits that both had, so that nobody gains access.
metadata_losses copy_metadata(const file_status& from, file& to) noexcept;

}  // namespace lmzip::io
