#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/adaptive_map.h"
#include "model/candidate_set.h"
#include "model/match_model.h"

namespace lmzip::model {

/// Shape of a predictor, as far as its learned parameters depend on it.
struct predictor_shape {
  std::uint32_t symbols = 0;
  std::uint32_t lanes = 0;  ///< of candidates, rounded up to 8 or 16
  std::uint32_t used_lanes = 0;
  std::uint32_t inputs = 0;       ///< of the mixer, rounded up to a multiple of 8
  std::uint32_t real_inputs = 0;  ///< those after the lanes that are in use, without the bias
  std::uint32_t matches = 0;
  std::uint32_t last_group = 0;
  std::uint32_t before_last_group = 0;
};

/// The weight sets of the mixer and the number of vectors in each.
inline constexpr int mixer_sets = 5;
inline constexpr std::uint32_t top_nodes = 512;
inline constexpr std::uint32_t max_guess_depth = 32;
std::array<std::uint32_t, mixer_sets> mixer_rows(const predictor_shape& shape);

/// Rows of the refining map.
inline constexpr std::uint32_t state_map_rows = 250;

/// What a predictor learns apart from its hash tables: it starts every block from a trained image
/// of it. The image is a sequence of sections, each aligned to 64 bytes.
class parameter_layout {
 public:
  enum section : std::size_t {
    node_probability,   ///< u16 a node: order-0 chance of "right"
    guess_probability,  ///< u16 a symbol: chance that it comes when it is the guess
    cells,              ///< u32: see candidate_set.h; three banks
    weights,            ///< i32: the vectors of all mixer sets
    state_map,          ///< u16
    match_map,          ///< u16, for each match model
    section_count,
  };

  explicit parameter_layout(const predictor_shape& shape);

  const predictor_shape& shape() const noexcept { return shape_; }
  std::size_t offset(section which) const noexcept { return offset_[which]; }
  std::size_t count(section which) const noexcept { return count_[which]; }
  std::size_t total_values() const noexcept;

  /// The values of an image one after the other, probabilities as stretches.
  std::vector<std::int32_t> read(std::span<const std::byte> image) const;
  std::vector<std::byte> write(std::span<const std::int32_t> values) const;
  std::size_t bytes() const noexcept { return bytes_; }

  /// An image for the same shape with one real input more, which must have room among the inputs:
  /// its weight is `weight`, and the others are multiplied by `kept`, both in units of 2^-16.
  std::vector<std::byte> with_one_input_more(std::span<const std::byte> image, std::int32_t kept,
                                             std::int32_t weight) const;

  /// The image of an untrained predictor.
  std::vector<std::byte> untrained() const;

  /// One byte a value, for the shipped file: probabilities as stretch / 16, weights by the square
  /// root of their size.
  std::vector<std::uint8_t> quantise(std::span<const std::byte> image) const;

  /// The image of quantised values. Throws error(damaged) if their number is wrong.
  std::vector<std::byte> restore(std::span<const std::uint8_t> values) const;

 private:
  std::size_t weights_begin() const noexcept;

  predictor_shape shape_;
  std::array<std::size_t, section_count> offset_{};
  std::array<std::size_t, section_count> count_{};
  std::size_t bytes_ = 0;
};

/// Mean of several images: what a block should start from when any kind of text may come.
class parameter_mean {
 public:
  explicit parameter_mean(const parameter_layout& layout);

  void add(std::span<const std::byte> image);

  /// The image of the means; of probabilities the stretch is averaged. Call after add().
  std::vector<std::byte> image() const;

 private:
  const parameter_layout* layout_;
  std::vector<std::int64_t> sums_;
  std::int64_t images_ = 0;
};

}  // namespace lmzip::model
