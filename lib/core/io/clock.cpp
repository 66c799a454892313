#include "core/io/clock.h"

#include <time.h>

namespace lmzip::io {

file_time file_clock() {
  struct timespec now = {};
#ifdef CLOCK_REALTIME_COARSE
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
#else
  ::clock_gettime(CLOCK_REALTIME, &now);
#endif
  return {now.tv_sec, now.tv_nsec};
}

}  // namespace lmzip::io
