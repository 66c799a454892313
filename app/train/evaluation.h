#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/train/language_model.h"
#include "app/train/metrics.h"
#include "lmzip/model.h"

namespace lmzip::train {

struct evaluation_options {
  int level = 8;                  ///< of archives
  std::uint64_t block_bytes = 0;  ///< of archives and of the network alone; 0: the level's default
  std::uint64_t limit = 0;        ///< bytes of each text that are measured; 0: all
  std::uint64_t first_line = 1;   ///< of each text, counted from 1
  std::uint64_t last_line = std::numeric_limits<std::uint64_t>::max();
  bool smu = false;  ///< put lines together by spaces, and code by windows too
};

/// What is measured.
struct measured_models {
  model_handle integer;                      ///< nullptr: none
  std::shared_ptr<language_model> floating;  ///< nullptr: none
  torch::Device device = torch::kCPU;        ///< of `floating`
};

struct coder_result {
  std::string name;
  coding_result coding;
  std::uint64_t model_bytes = 0;  ///< that a decoder needs besides
};

struct network_result {
  std::string name;
  chance_sums chances;
  bool knows_entropy = false;
};

struct text_result {
  std::string name;
  text_size size;
  std::vector<coder_result> coders;
  std::vector<network_result> networks;
  bool compares = false;             ///< whether both kinds of model were there
  double divergence_nats = 0;        ///< sum of KL(float || integer) over the tokens
  std::uint64_t left_out_bytes = 0;  ///< that "smu" does not code

  /// Of the same models and options.
  text_result& operator+=(const text_result& other);

  /// nullptr if there is none of that name.
  const chance_sums* network(const std::string& of) const noexcept;
};

/// Names of coders and networks.
namespace name {
inline constexpr const char* alone = "alone";        ///< the integer network and nothing else
inline constexpr const char* adapting = "adapting";  ///< the same, and its head learns
inline constexpr const char* archive = "lmzip";      ///< an archive
inline constexpr const char* smu = "smu";            ///< by windows, without the first tokens
inline constexpr const char* smu_all = "smu, all";   ///< by windows, everything
inline constexpr const char* integer = "integer";
inline constexpr const char* floating = "float";
}  // namespace name

/// Tells which part of the work begins, or how much of it is done.
using stage_report = std::function<void(const std::string& stage, double done)>;

/// The lines and the bytes of a text that the options ask for.
std::span<const std::byte> part_of_text(std::span<const std::byte> text,
                                        const evaluation_options& options);

/// Codes a text in all ways, decodes it again and measures what the models guess of it. Throws
/// error(usage) for an empty text or one too short for windows, error(canceled) on a signal.
text_result evaluate(const std::string& name, std::span<const std::byte> text,
                     const measured_models& models, const evaluation_options& options,
                     const stage_report& report);

}  // namespace lmzip::train
