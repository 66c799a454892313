#pragma once

#include <string>
#include <vector>

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

  /// A last line of a run of several ranks: ranks, tokens_a_second of each, and exchange, the part
  /// of the time in which they exchanged gradients.
  void add(const training_cost& cost, std::int64_t ranks);

  /// The reports in such a file; none if it is not there. Throws error(damaged), io::file_error.
  static std::vector<training_report> read(const std::string& path);

 private:
  void write(const std::string& text);

  io::file file_;
};

}  // namespace lmzip::train
