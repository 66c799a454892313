#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "app/train/language_model.h"
#include "app/train/metrics.h"
#include "model/neural/language_model.h"

namespace lmzip::train {

// The windowing of the project "LLM-Based Text Compression with Arithmetic Coding on Distributed
// GPU Systems" (SMU-ODSRCI), to compare figures with: the text is cut into 128 streams, each token
// is guessed from the 64 before it alone, and the first 64 of each stream are not coded.

inline constexpr std::size_t smu_context = 64;
inline constexpr std::size_t smu_streams = 128;
inline constexpr std::uint32_t smu_total = std::uint32_t{1} << 18;  ///< of the frequencies

/// Sums of frequencies below each leaf and of all, [leaves + 1]: floor(chance * (total - leaves)) +
/// 1 for each leaf, and what is left one each to the most probable, those of lower number first.
/// Chances are at least 0 and sum up to 1, but for rounding.
std::vector<std::uint32_t> smu_frequencies(std::span<const float> chances, std::uint32_t total);

/// Guesses the next token from a window alone. Gives the same numbers for the same windows.
class window_model {
 public:
  virtual ~window_model() = default;

  /// Logarithms of the chances after each of some windows, all of one length: [windows, leaves].
  virtual torch::Tensor log_chances(std::span<const std::span<const std::uint16_t>> windows) = 0;
};

/// The models outlive what is made of them. The windows begin with the symbol of a beginning.
std::unique_ptr<window_model> windows_of(const model::neural::language_model& network);
std::unique_ptr<window_model> windows_of(language_model& network, torch::Device device);

/// The lines of a text, with their ends, put together by spaces.
std::vector<std::byte> smu_text(std::span<const std::byte> text);

struct smu_result {
  coding_result usual;  ///< without the first tokens of the streams
  coding_result all;    ///< everything coded, guessed from shorter windows, with a header
  chance_sums chances;  ///< of the tokens of `usual`, before they became frequencies
  std::uint64_t left_out_bytes = 0;  ///< of text, that `usual` does not code
};

/// Codes and decodes a text. The same model must give the chances both times, and does here; other
/// machines may round otherwise. `on_progress` gets the part that is done. Throws error(usage) for
/// a text of fewer tokens than the streams leave out, and error(canceled) on a signal.
smu_result code_by_windows(std::span<const std::byte> text, window_model& model,
                           const std::function<void(double)>& on_progress);

}  // namespace lmzip::train
