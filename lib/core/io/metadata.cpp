#include "core/io/metadata.h"

namespace lmzip::io {

metadata_losses copy_metadata(const file_status& from, file& to) noexcept {
  metadata_losses lost;
  lost.owner = !to.set_owner(from.owner, std::nullopt) && is_superuser();
  lost.group = !to.set_owner(std::nullopt, from.group);
  unsigned mode = from.mode & 0777U;
  if (lost.group) {
    const unsigned common = (mode >> 3) & mode & 07U;
    mode = (mode & 0700U) | common << 3 | common;
  }
  lost.mode = !to.set_mode(mode);
  lost.times = !to.set_times(from.accessed, from.modified);
  return lost;
}

}  // namespace lmzip::io
