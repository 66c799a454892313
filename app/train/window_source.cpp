#include "app/train/window_source.h"

#include <algorithm>

#include "lmzip/error.h"
#include "vocab/shipped.h"

namespace lmzip::train {
namespace {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same numbers with every library.
class splitmix64 {
 public:
  explicit splitmix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() noexcept {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

constexpr std::uint64_t held_out_one_in = 64;

}  // namespace

window_source::window_source(const std::vector<std::uint16_t>& leaves, const window_plan& plan)
    : leaves_(leaves), plan_(plan) {
  const std::size_t chunks = leaves.size() / chunk_tokens();
  if (chunks < 2) throw error(errc::usage, "the training text has fewer tokens than two chunks");
  for (std::size_t i = 0; i < chunks; ++i) {
    const bool hold = splitmix64(i)() % held_out_one_in == 0;
    (hold ? held_out_ : trained_).push_back(static_cast<std::uint32_t>(i));
  }
  // Short texts have both too.
  if (held_out_.empty()) {
    held_out_.push_back(trained_.back());
    trained_.pop_back();
  }
}

/// The chunk that is begun at turn number `turn`, over all streams and passes.
std::size_t window_source::chunk_of(std::uint64_t turn) const {
  const std::uint64_t pass = turn / trained_.size();
  if (pass != pass_) {
    order_ = trained_;
    splitmix64 random(plan_.seed ^ pass << 32);
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random() % i]);
    pass_ = pass;
  }
  return order_[turn % trained_.size()];
}

window window_source::at(std::uint64_t step, std::int64_t first, std::int64_t count) const {
  const auto windows = static_cast<std::uint64_t>(plan_.chunk / plan_.steps);
  std::vector<std::size_t> chunks;
  std::vector<std::int64_t> offsets;
  for (std::int64_t stream = first; stream < first + count; ++stream) {
    // Streams do not change their chunks all at the same step.
    const std::uint64_t at = step + static_cast<std::uint64_t>(stream) % windows;
    chunks.push_back(chunk_of(at / windows * static_cast<std::uint64_t>(plan_.streams) +
                              static_cast<std::uint64_t>(stream)));
    offsets.push_back(static_cast<std::int64_t>(at % windows) * plan_.steps);
  }
  window w = windows_of(chunks, offsets);
  if (step == 0) w.starts.fill_(true);
  return w;
}

std::vector<window> window_source::held_out(std::size_t chunks) const {
  std::vector<window> result;
  const auto at_once = static_cast<std::size_t>(plan_.streams);
  chunks = std::min(chunks, held_out_.size());
  for (std::size_t from = 0; from < chunks; from += at_once) {
    const std::size_t count = std::min(at_once, chunks - from);
    const std::vector<std::size_t> these(
        held_out_.begin() + static_cast<std::ptrdiff_t>(from),
        held_out_.begin() + static_cast<std::ptrdiff_t>(from + count));
    for (std::int64_t offset = 0; offset < plan_.chunk; offset += plan_.steps)
      result.push_back(windows_of(these, std::vector<std::int64_t>(count, offset)));
  }
  return result;
}

window window_source::windows_of(const std::vector<std::size_t>& chunks,
                                 const std::vector<std::int64_t>& offsets) const {
  const auto streams = static_cast<std::int64_t>(chunks.size());
  const auto start = static_cast<std::int64_t>(vocab::shipped_vocabulary().size());
  window w{torch::empty({plan_.steps * streams}, torch::kInt64),
           torch::empty({plan_.steps * streams}, torch::kInt64),
           torch::empty({streams}, torch::kBool)};
  auto* const inputs = w.inputs.data_ptr<std::int64_t>();
  auto* const targets = w.targets.data_ptr<std::int64_t>();
  for (std::int64_t b = 0; b < streams; ++b) {
    const auto i = static_cast<std::size_t>(b);
    const std::uint16_t* const text =
        leaves_.data() + chunks[i] * chunk_tokens() + static_cast<std::size_t>(offsets[i]);
    w.starts.data_ptr<bool>()[b] = offsets[i] == 0;
    for (std::int64_t t = 0; t < plan_.steps; ++t) {
      inputs[t * streams + b] = t == 0 && offsets[i] == 0 ? start : text[t - 1];
      targets[t * streams + b] = text[t];
    }
  }
  return w;
}

}  // namespace lmzip::train
