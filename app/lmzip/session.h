#pragma once

#include <stop_token>
#include <string>

#include "app/lmzip/input.h"
#include "app/lmzip/messages.h"
#include "app/lmzip/output.h"
#include "app/lmzip/progress.h"
#include "app/lmzip/settings.h"
#include "lmzip/decompress.h"

namespace lmzip::app {

/// What the work on all files of one run shares.
struct session {
  const settings& run;
  messages& out;
  progress_display& progress;
  standard_output& to_stdout;
  std::stop_source stop;
  model_handle model;                 ///< --model, or nullptr
  base_handle base{};                 ///< --base, or nullptr
  std::vector<std::byte> model_file;  ///< of the model that archives are to bring along, or empty

  /// Shows progress and passes a pending signal on to the library.
  void on_progress(const lmzip::progress& now);

  /// Options for decoding, without on_damage.
  decompress_options decoding();

  /// Ends the work on a file: gives the output its name and attributes, says what happened with
  /// `summary` ("… -> … bytes (…)"), and removes the input if that was asked for, it did not change
  /// meanwhile, and the output is a file that holds all of it (`whole`).
  void conclude(const input& in, output& to, const std::string& summary, bool whole);
};

}  // namespace lmzip::app
