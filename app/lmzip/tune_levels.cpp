#include "app/lmzip/tune_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>

#include "core/hash.h"
#include "core/io/signals.h"
#include "engine/block_io.h"
#include "lmzip/compress.h"
#include "lmzip/decompress.h"
#include "lmzip/inspect.h"

namespace lmzip::app {
namespace {

/// Compares what is written with what it should be.
class comparing_sink final : public sink {
 public:
  explicit comparing_sink(std::span<const std::byte> wanted) : rest_(wanted) {}

  void write(std::span<const std::byte> data) override {
    const bool same =
        data.size() <= rest_.size() && std::equal(data.begin(), data.end(), rest_.begin());
    if (!same) throw error(errc::internal, "a level did not give the sample back");
    rest_ = rest_.subspan(data.size());
  }

  bool is_complete() const noexcept { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
};

/// The least CPU time of an action in seconds. Short ones are repeated: the first run pays for what
/// the process sets up once, and clocks are coarse.
double least_seconds(const std::function<void()>& action) {
  constexpr double enough = 0.1;
  constexpr double finest = 1e-6;
  double least = std::numeric_limits<double>::max();
  for (double all = 0; all < enough;) {
    io::throw_if_interrupted();
    const std::clock_t begin = std::clock();
    action();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    least = std::min(least, std::max(seconds, finest));
    all += std::max(seconds, finest);
  }
  return least;
}

class measurement {
 public:
  measurement(std::span<const std::byte> sample, session& on) : sample_(sample), on_(on) {}

  void run(int level) {
    on_.progress.start(fmt::format("level {}", level), sample_.size(), true);
    level_result result;
    result.level = level;
    const std::vector<std::byte> archive = compress_at(result);
    const hash256 identity = sha256_of(archive);
    const auto twin = std::find(identities_.begin(), identities_.end(), identity);
    if (twin != identities_.end()) {
      const auto index = static_cast<std::size_t>(twin - identities_.begin());
      results_.equal.push_back({level, results_.levels[index].level});
    } else {
      describe(archive, result);
      decode(archive, result);
      identities_.push_back(identity);
      results_.levels.push_back(std::move(result));
    }
    on_.progress.finish();
  }

  tune_results take() { return std::move(results_); }

 private:
  std::vector<std::byte> compress_at(level_result& result) {
    compress_options options;
    options.level = result.level;
    options.stop = on_.stop.get_token();
    options.on_progress = [&](const progress& now) { on_.on_progress(now); };
    result.memory_in = compress_memory(options, 1);
    engine::vector_sink archive;
    const double seconds = least_seconds([&] {
      engine::span_source in(sample_);
      archive.bytes.clear();
      compress(in, archive, options);
    });
    result.coded_bytes = archive.bytes.size();
    result.speed_in = static_cast<double>(sample_.size()) / seconds;
    return std::move(archive.bytes);
  }

  void describe(std::span<const std::byte> archive, level_result& result) const {
    engine::span_source in(archive);
    for (const member_description& member : inspect(in)) {
      result.memory_out = std::max(result.memory_out, member.memory_per_block);
      for (const block_description& block : member.blocks) {
        auto& known = result.methods;
        if (std::find(known.begin(), known.end(), block.codec) == known.end())
          known.push_back(block.codec);
      }
    }
  }

  void decode(std::span<const std::byte> archive, level_result& result) {
    decompress_options options;
    options.stop = on_.stop.get_token();
    options.on_progress = [&](const progress& now) { on_.on_progress(now); };
    const double seconds = least_seconds([&] {
      engine::span_source in(archive);
      comparing_sink out(sample_);
      decompress(in, out, options);
      if (!out.is_complete()) throw error(errc::internal, "a level did not give the sample back");
    });
    result.speed_out = static_cast<double>(sample_.size()) / seconds;
  }

  std::span<const std::byte> sample_;
  session& on_;
  tune_results results_;
  std::vector<hash256> identities_;  // of the archives of results_.levels
};

/// By what factor a result misses its worst limit; up to 1 if it misses none.
double shortfall(const level_result& result, const tune_budget& budget) {
  double worst = 0;
  if (budget.min_speed_in) worst = std::max(worst, *budget.min_speed_in / result.speed_in);
  if (budget.min_speed_out) worst = std::max(worst, *budget.min_speed_out / result.speed_out);
  if (budget.max_memory) {
    const std::uint64_t memory = std::max(result.memory_in, result.memory_out);
    worst = std::max(worst, static_cast<double>(memory) / static_cast<double>(*budget.max_memory));
  }
  return worst;
}

}  // namespace

tune_results measure_levels(std::span<const std::byte> sample, const std::vector<int>& levels,
                            session& on) {
  measurement work(sample, on);
  for (const int level : levels) work.run(level);
  return work.take();
}

bool fits(const level_result& result, const tune_budget& budget) {
  return shortfall(result, budget) <= 1;
}

recommendation recommend(std::span<const level_result> results, const tune_budget& budget) {
  recommendation best;
  double least_shortfall = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const double missed = shortfall(results[i], budget);
    if (missed <= 1) {
      if (!best.fits || results[i].coded_bytes < results[best.index].coded_bytes) best = {i, true};
    } else if (!best.fits && missed < least_shortfall) {
      best.index = i;
      least_shortfall = missed;
    }
  }
  return best;
}

}  // namespace lmzip::app
