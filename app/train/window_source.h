#pragma once

#include <cstdint>
#include <vector>

#include "app/train/language_model.h"

namespace lmzip::train {

/// How training text is dealt out. Many short windows from all over the text teach more than few
/// long ones, and streams that start cold now and then teach what the first tokens of a block need.
struct window_plan {
  std::int64_t streams = 64;  ///< at once
  std::int64_t steps = 64;    ///< a window
  std::int64_t chunk = 2048;  ///< tokens that a stream reads before it starts anew elsewhere
  std::uint64_t seed = 1;
};

/// Deals out windows of training text: a pure function of text, plan and step number, so that a run
/// goes on exactly where it was. Every pass takes the chunks in another order; about one in 64 is
/// held out for measuring. The leaves outlive this.
class window_source {
 public:
  /// Throws error(usage) for a text of less than two chunks.
  window_source(const std::vector<std::uint16_t>& leaves, const window_plan& plan);

  /// Window of step number `step`, counted from 0, for streams `first` to `first + count` - 1 of
  /// the plan's.
  window at(std::uint64_t step, std::int64_t first, std::int64_t count) const;

  /// The steps that read held-out chunks once, as many streams of them at once as the plan has, up
  /// to `chunks` chunks.
  std::vector<window> held_out(std::size_t chunks) const;

  std::uint64_t tokens() const noexcept { return trained_.size() * chunk_tokens(); }

 private:
  std::uint64_t chunk_tokens() const noexcept { return static_cast<std::uint64_t>(plan_.chunk); }
  std::size_t chunk_of(std::uint64_t turn) const;
  window windows_of(const std::vector<std::size_t>& chunks,
                    const std::vector<std::int64_t>& offsets) const;

  const std::vector<std::uint16_t>& leaves_;
  window_plan plan_;
  std::vector<std::uint32_t> trained_, held_out_;  ///< numbers of chunks
  mutable std::vector<std::uint32_t> order_;       ///< of the pass asked for last
  mutable std::uint64_t pass_ = ~std::uint64_t{0};
};

}  // namespace lmzip::train
