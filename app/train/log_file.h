#pragma once

#include <string>

#include "app/train/training.h"
#include "core/io/file.h"

namespace lmzip::train {

/// JSON lines, one a report, added to a file: step, tokens, rate, loss and held_out in bits a
/// token, held_out_byte in bits a byte, cpu in seconds. A run that goes on goes on here too.
class log_file {
 public:
  /// Throws io::file_error.
  explicit log_file(const std::string& path);
  void add(const training_report& report, double bytes_a_token);

 private:
  io::file file_;
};

}  // namespace lmzip::train
