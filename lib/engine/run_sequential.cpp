#include "engine/ordered_work.h"

namespace lmzip::engine {

void run_sequential(ordered_work& jobs, unsigned, std::size_t) {
  while (jobs.read(0)) {
    jobs.work(0);
    jobs.write(0);
  }
}

}  // namespace lmzip::engine
