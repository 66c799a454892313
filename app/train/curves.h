#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/train/training_report.h"

namespace lmzip::train {

/// A picture of a run as SVG: loss and held-out loss over the tokens trained on, and below them
/// the rate.
std::string curves_svg(std::span<const training_report> reports);

/// Keeps such a picture of a run in a file, which each addition replaces as a whole.
class curves_file {
 public:
  /// `before` are the reports of the run so far, if it goes on. Throws io::file_error if the file
  /// cannot be written.
  curves_file(std::string path, std::span<const training_report> before);

  /// Draws at each measurement.
  void add(const training_report& report);

 private:
  /// Drops reports of this step or a later one, which a lost part of the run left.
  void keep(const training_report& report);
  void draw() const;

  std::string path_;
  std::vector<training_report> reports_;
};

}  // namespace lmzip::train
