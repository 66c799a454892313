#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/lmzip/session.h"

namespace lmzip::app {

/// What a level may cost. Speeds are plain bytes a second of CPU time on one thread; memory is what
/// the library states for one thread, in bytes. What is not given is not limited.
struct tune_budget {
  std::optional<double> min_speed_in;   ///< compressing
  std::optional<double> min_speed_out;  ///< decompressing
  std::optional<std::uint64_t> max_memory;
};

/// What a level did to the sample.
struct level_result {
  int level = 0;
  std::vector<std::string> methods;  ///< codecs of its blocks, without repetition
  std::uint64_t coded_bytes = 0;
  double speed_in = 0;  ///< bytes a second
  double speed_out = 0;
  std::uint64_t memory_in = 0;
  std::uint64_t memory_out = 0;
};

/// A level whose archive is that of a lower level, bit for bit.
struct equal_level {
  int level = 0;
  int same_as = 0;
};

struct tune_results {
  std::vector<level_result> levels;
  std::vector<equal_level> equal;
};

/// Compresses the sample at each level, in memory on one thread, decodes it and compares. Speeds
/// are the best of several runs where a run is short. Throws error, internal if a level does not
/// give the sample back.
tune_results measure_levels(std::span<const std::byte> sample, const std::vector<int>& levels,
                            session& on);

struct recommendation {
  std::size_t index = 0;  ///< in the results
  bool fits = false;      ///< false: nothing does, and this comes nearest
};

/// The smallest result within the budget, the lower level of equals. If there is none: the one that
/// misses its worst limit by the smallest factor. `results` must not be empty.
recommendation recommend(std::span<const level_result> results, const tune_budget& budget);

/// Whether `result` keeps to the budget.
bool fits(const level_result& result, const tune_budget& budget);

}  // namespace lmzip::app
