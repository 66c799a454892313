#pragma once

#include <string>

#include "app/lmzip/tune_levels.h"
#include "app/lmzip/tune_sample.h"

namespace lmzip::app {

/// What was measured, for people: the sample, a table of the levels with a mark at the recommended
/// one, and a sentence that recommends it. Without a level within the budget the table alone.
std::string tune_text(const tune_sample& sample, const tune_results& results,
                      const tune_budget& budget, const recommendation& best);

/// The same as one JSON object in a line: lmzip(1), JSON of tune.
std::string tune_json(const tune_sample& sample, const tune_results& results,
                      const tune_budget& budget, const recommendation& best);

/// Says that no level keeps to the budget and which one comes nearest.
std::string nothing_fits_text(const level_result& nearest);

}  // namespace lmzip::app
