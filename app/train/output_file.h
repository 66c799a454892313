#pragma once

#include <string>

#include "core/io/temporary_file.h"

namespace lmzip::train {

/// A text file that is replaced as a whole or not at all.
class output_file {
 public:
  /// Throws io::file_error if nothing can be written there.
  explicit output_file(const std::string& path);

  /// Throws io::file_error.
  void finish(const std::string& text);

 private:
  io::temporary_file file_;
};

}  // namespace lmzip::train
