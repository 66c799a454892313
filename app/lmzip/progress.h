#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "app/lmzip/settings.h"
#include "lmzip/compress.h"

namespace lmzip::app {

/// Shows how far the work on a file has come: a bar on a terminal, erased at the end, JSON lines,
/// or one line at each USR1. Not thread-safe.
class progress_display {
 public:
  /// `data_on_terminal`: the data itself goes to a terminal, which a bar would spoil.
  progress_display(progress_style style, int verbosity, bool data_on_terminal);

  /// `total_bytes`: size of the input if known; `compressing`: it counts plain bytes.
  void start(std::string name, std::optional<std::uint64_t> total_bytes, bool compressing);
  void update(const progress& now);
  /// Ends the file; nothing of the bar is left.
  void finish();
  /// Takes the bar off the screen until the next update.
  void erase();

 private:
  using clock = std::chrono::steady_clock;

  double seconds() const;
  double fraction() const;
  std::string line() const;
  std::string json_line() const;
  void show();

  progress_style style_;
  bool is_bar_ = false;
  unsigned columns_ = 80;
  bool visible_ = false;
  bool running_ = false;
  std::string name_;
  std::optional<std::uint64_t> total_bytes_;
  bool compressing_ = true;
  progress now_;
  clock::time_point begin_;
  clock::time_point shown_;
};

}  // namespace lmzip::app
