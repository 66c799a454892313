#include "lmzip/incremental.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "lmzip/error.h"

namespace lmzip {

// Where the caller and the thread that runs the function meet. The thread sees a source and a sink
// that wait; the caller fills and empties them. No byte is copied but from `in` and to `out`.
class incremental::exchange final : private source, private sink {
 public:
  using function = std::function<void(source&, sink&)>;

  explicit exchange(function run)
      : thread_([this, run = std::move(run)] {
          std::exception_ptr failure;
          try {
            run(*this, *this);
          } catch (...) {
            failure = std::current_exception();
          }
          const std::scoped_lock lock(mutex_);
          failure_ = failure;
          finished_ = true;
          changed_.notify_all();
        }) {}

  ~exchange() override {
    {
      const std::scoped_lock lock(mutex_);
      abandoned_ = true;
      changed_.notify_all();
    }
    thread_.join();
  }

  step transfer(std::span<const std::byte> in, std::span<std::byte> out, bool last) {
    std::unique_lock lock(mutex_);
    in_ = in;
    ended_ = last;
    changed_.notify_all();
    std::size_t produced = 0;
    for (;;) {
      const std::size_t count = std::min(out_.size(), out.size() - produced);
      if (count > 0) {
        std::memcpy(out.data() + produced, out_.data(), count);
        produced += count;
        out_ = out_.subspan(count);
        changed_.notify_all();
      }
      if (out_.empty() && (finished_ || (in_.empty() && !ended_))) break;
      if (produced == out.size() && (in_.empty() || !out_.empty())) break;
      changed_.wait(lock);
    }
    const std::size_t left = std::exchange(in_, {}).size();
    if (left > 0) ended_ = false;  // the rest comes with the next call
    // An error waits until all that was valid before it has been taken.
    if (finished_ && failure_ && produced == 0) std::rethrow_exception(failure_);
    return {in.size() - left, produced, finished_ && out_.empty() && !failure_};
  }

 private:
  std::size_t read(std::span<std::byte> out) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !in_.empty() || ended_ || abandoned_; });
    if (abandoned_) throw error(errc::canceled, "canceled");
    const std::size_t count = std::min(out.size(), in_.size());
    if (count > 0) std::memcpy(out.data(), in_.data(), count);
    in_ = in_.subspan(count);
    if (in_.empty()) changed_.notify_all();
    return count;
  }

  void write(std::span<const std::byte> data) override {
    std::unique_lock lock(mutex_);
    out_ = data;
    changed_.notify_all();
    changed_.wait(lock, [this] { return out_.empty() || abandoned_; });
    if (abandoned_) throw error(errc::canceled, "canceled");
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::span<const std::byte> in_;   // of the caller, not yet read
  std::span<const std::byte> out_;  // of the function, not yet taken
  bool ended_ = false;              // nothing follows in_
  bool finished_ = false;           // the function has returned
  bool abandoned_ = false;          // the caller has gone
  std::exception_ptr failure_;
  std::thread thread_;  // last: it uses all of the above
};

incremental::incremental(const compress_options& options)
    : exchange_(std::make_unique<exchange>(
          [options](source& in, sink& out) { compress(in, out, options); })) {}

incremental::incremental(const decompress_options& options)
    : exchange_(std::make_unique<exchange>(
          [options](source& in, sink& out) { decompress(in, out, options); })) {}

incremental::~incremental() = default;
incremental::incremental(incremental&&) noexcept = default;
incremental& incremental::operator=(incremental&&) noexcept = default;

incremental::step incremental::run(std::span<const std::byte> in, std::span<std::byte> out,
                                   bool last) {
  return exchange_->transfer(in, out, last);
}

}  // namespace lmzip
