#pragma once

#include <string>

namespace lmzip::io {

/// An extended attribute of a file. POSIX ACLs are those named system.posix_acl_access and
/// system.posix_acl_default.
struct attribute {
  std::string name;
  std::string value;  ///< any bytes
  friend auto operator<=>(const attribute&, const attribute&) = default;
};

}  // namespace lmzip::io
