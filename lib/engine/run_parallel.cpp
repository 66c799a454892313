#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <array>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/ordered_work.h"

namespace lmzip::engine {
namespace {

namespace tbb = oneapi::tbb;

// oneTBB puts the stages of a job and the calls of a serial stage in order, but by means that
// thread sanitizers do not see. Passing through a mutex of our own at both ends of a stage shows it
// to them, for the price of two short locks a stage and block. It is static because a mutex made by
// one thread and first locked by another would need the same.
class boundary {
 public:
  boundary() { pass(); }
  boundary(const boundary&) = delete;
  boundary& operator=(const boundary&) = delete;
  ~boundary() { pass(); }

 private:
  static void pass() {
    static constinit std::mutex mutex;
    const std::scoped_lock lock(mutex);
  }
};

// Runs ordered_work as a pipeline. An exception in the first two stages travels to the third with
// its job, so that the jobs before it are still written.
class pipeline {
 public:
  pipeline(ordered_work& jobs, std::size_t slots) : jobs_(jobs), jobs_in_flight_(slots) {
    for (std::size_t i = 0; i < slots; ++i) {
      jobs_in_flight_[i].slot = i;
      free_.push_back(&jobs_in_flight_[i]);
    }
  }

  void run(unsigned threads) {
    // A single job is not worth a thread.
    waiting_[0] = read();
    waiting_[1] = read();
    if (waiting_[1] == nullptr) {
      if (waiting_[0] == nullptr) return;
      work(waiting_[0]);
      write(waiting_[0]);
      return;
    }

    // Where more threads are asked for than there are cores, oneTBB has to be told.
    std::optional<tbb::global_control> allowance;
    if (threads > static_cast<unsigned>(tbb::info::default_concurrency()))
      allowance.emplace(tbb::global_control::max_allowed_parallelism, threads);
    tbb::task_arena arena(static_cast<int>(threads));
    const boundary visible;
    arena.execute([this] { run_pipeline(); });
  }

 private:
  struct job {
    std::size_t slot = 0;
    std::exception_ptr failure;
  };

  void run_pipeline() {
    const auto reading = [this](tbb::flow_control& control) -> job* {
      const boundary visible;
      job* const next = started_ < waiting_.size() ? waiting_[started_++] : read();
      if (next == nullptr) control.stop();
      return next;
    };
    const auto working = [this](job* current) {
      const boundary visible;
      work(current);
      return current;
    };
    const auto writing = [this](job* current) {
      const boundary visible;
      write(current);
    };
    tbb::parallel_pipeline(
        jobs_in_flight_.size(),
        tbb::make_filter<void, job*>(tbb::filter_mode::serial_in_order, reading) &
            tbb::make_filter<job*, job*>(tbb::filter_mode::parallel, working) &
            tbb::make_filter<job*, void>(tbb::filter_mode::serial_in_order, writing));
  }

  job* read() {
    if (ended_) return nullptr;
    job* const next = take_free();
    try {
      ended_ = !jobs_.read(next->slot);
    } catch (...) {
      next->failure = std::current_exception();
      ended_ = true;
      return next;
    }
    if (!ended_) return next;
    give_back(next);
    return nullptr;
  }

  void work(job* current) noexcept {
    if (current->failure) return;
    try {
      jobs_.work(current->slot);
    } catch (...) {
      current->failure = std::current_exception();
    }
  }

  void write(job* current) {
    if (current->failure) std::rethrow_exception(current->failure);
    jobs_.write(current->slot);
    give_back(current);
  }

  // There are as many jobs as tokens of the pipeline, and a job is given back before its token.
  job* take_free() {
    const std::scoped_lock lock(mutex_);
    job* const next = free_.back();
    free_.pop_back();
    return next;
  }

  void give_back(job* done) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(done);
  }

  ordered_work& jobs_;
  std::vector<job> jobs_in_flight_;
  std::mutex mutex_;
  std::vector<job*> free_;
  std::array<job*, 2> waiting_{};  // read before the pipeline started
  std::size_t started_ = 0;
  bool ended_ = false;
};

}  // namespace

void run_parallel(ordered_work& jobs, unsigned threads, std::size_t slots) {
  if (threads <= 1 || slots <= 1) return run_sequential(jobs, threads, slots);
  pipeline(jobs, slots).run(threads);
}

}  // namespace lmzip::engine
