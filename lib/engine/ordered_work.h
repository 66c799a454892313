#pragma once

#include <cstddef>

namespace lmzip::engine {

/// A row of jobs, each of which passes through three stages. Jobs live in slots, numbered from 0,
/// that are used again and again, so that memory is bounded by their number.
class ordered_work {
 public:
  virtual ~ordered_work() = default;

  /// Prepares the next job in `slot`, or returns false if there is none. One call at a time, in
  /// order; not called again after false or an exception.
  virtual bool read(std::size_t slot) = 0;

  /// Does the work of a job. Many calls at a time, in any order.
  virtual void work(std::size_t slot) = 0;

  /// Hands on the result. One call at a time, in the order of the reads, beside a read.
  virtual void write(std::size_t slot) = 0;
};

/// Runs the work until read() returns false, on at most `threads` threads and with at most `slots`
/// jobs (at least one of each). An exception from any stage ends the run and is thrown once all
/// jobs before it have been written: which one is thrown does not depend on the number of threads.
using runner = void (*)(ordered_work& jobs, unsigned threads, std::size_t slots);

/// On the caller's thread, one job after the other.
void run_sequential(ordered_work& jobs, unsigned threads, std::size_t slots);

/// On threads of oneTBB. Starts none where one is asked for or where there is a single job.
void run_parallel(ordered_work& jobs, unsigned threads, std::size_t slots);

}  // namespace lmzip::engine
