#pragma once

#include <cstdint>

namespace lmzip::train {

/// How a run stands; losses in bits a token.
struct training_report {
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;
  double rate = 0;
  double loss = 0;           ///< mean since the last report
  double held_out_loss = 0;  ///< 0: not measured at this report
  double cpu_seconds = 0;    ///< of this process
};

}  // namespace lmzip::train
