#include "model/parameters.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "lmzip/error.h"
#include "model/logistic.h"
#include "model/quantised_value.h"

namespace lmzip::model {
namespace {

constexpr std::int32_t untrained_weight_sum = 20000;

template <class T>
T* at(std::vector<std::byte>& image, std::size_t offset) {
  return reinterpret_cast<T*>(image.data() + offset);
}

template <class T>
T value_at(std::span<const std::byte> image, std::size_t offset, std::size_t index) {
  T value;
  std::memcpy(&value, image.data() + offset + index * sizeof(T), sizeof(T));
  return value;
}

std::uint32_t make_cell(std::uint32_t probability) {
  return probability << 16 | static_cast<std::uint16_t>(stretch(probability));
}

/// Chance of a 1 after weights of about `against` and `in_favour`, 2 an occurrence.
std::uint32_t untrained_cell(std::size_t index) {
  static constexpr std::array<std::uint32_t, 16> weight{0, 1, 2,  3,  4,  5,  6,  7,
                                                        8, 9, 10, 13, 13, 20, 20, 20};
  if (index % cells_per_lane == 0) return make_cell(32768);
  const std::uint32_t against = 5 * weight[index >> 4 & 15];
  const std::uint32_t in_favour = 5 * weight[index & 15];
  return make_cell((in_favour + 3) * 65535 / (against + in_favour + 6));
}

}  // namespace

std::array<std::uint32_t, mixer_sets> mixer_rows(const predictor_shape& shape) {
  const auto groups = [&shape](std::uint32_t bits) {
    return (shape.symbols + (1U << bits) - 1) >> bits;
  };
  return {top_nodes + max_guess_depth + 32, 5 * 4 * 5, groups(shape.last_group),
          groups(shape.before_last_group) * 4, 32 * 32};
}

parameter_layout::parameter_layout(const predictor_shape& shape) : shape_(shape) {
  const auto rows = mixer_rows(shape);
  count_[node_probability] = shape.symbols - 1;
  count_[guess_probability] = shape.symbols;
  count_[cells] = std::size_t{3} * shape.lanes * cells_per_lane;
  count_[weights] = std::accumulate(rows.begin(), rows.end(), std::size_t{0}) * shape.inputs;
  count_[state_map] = state_map_rows * adaptive_map::points;
  count_[match_map] = std::size_t{shape.matches} * match_model::map_size;
  for (std::size_t s = 0; s < section_count; ++s) {
    offset_[s] = bytes_;
    const std::size_t width = s == cells || s == weights ? 4 : 2;
    bytes_ += (count_[s] * width + 63) / 64 * 64;
  }
}

std::size_t parameter_layout::total_values() const noexcept {
  return std::accumulate(count_.begin(), count_.end(), std::size_t{0});
}

std::vector<std::byte> parameter_layout::with_one_input_more(std::span<const std::byte> image,
                                                             std::int32_t kept,
                                                             std::int32_t weight) const {
  std::vector<std::byte> wider(image.begin(), image.end());
  auto* const vectors = at<std::int32_t>(wider, offset_[weights]);
  const std::size_t place = shape_.lanes + shape_.real_inputs;
  for (std::size_t i = 0; i < count_[weights]; i += shape_.inputs) {
    std::int32_t* const vector = vectors + i;
    for (std::size_t k = 0; k <= place; ++k)
      vector[k] = static_cast<std::int32_t>(std::int64_t{vector[k]} * kept >> 16);
    vector[place + 1] = vector[place];  // of the bias, which comes last
    // The sets are summed.
    vector[place] = weight / mixer_sets;
  }
  return wider;
}

std::vector<std::byte> parameter_layout::untrained() const {
  std::vector<std::byte> image(bytes_);
  for (const section s : {node_probability, guess_probability})
    std::fill_n(at<std::uint16_t>(image, offset_[s]), count_[s], std::uint16_t{32768});
  for (std::size_t i = 0; i < count_[cells]; ++i)
    at<std::uint32_t>(image, offset_[cells])[i] = untrained_cell(i);
  for (std::size_t i = 0; i < count_[weights]; ++i) {
    const std::size_t input = i % shape_.inputs;
    const bool real = input < shape_.used_lanes ||
                      (input >= shape_.lanes && input < shape_.lanes + shape_.real_inputs);
    at<std::int32_t>(image, offset_[weights])[i] = real ? untrained_weight_sum / mixer_sets : 0;
  }
  adaptive_map::set_untrained(at<std::uint16_t>(image, offset_[state_map]), state_map_rows);
  for (std::size_t i = 0; i < count_[match_map]; ++i) {
    const std::size_t length =
        i / (match_model::miss_buckets * match_model::places) % match_model::length_buckets;
    at<std::uint16_t>(image, offset_[match_map])[i] =
        static_cast<std::uint16_t>(std::min<std::size_t>(65536 - 65536 / (length * 2 + 3), 65000));
  }
  return image;
}

std::vector<std::int32_t> parameter_layout::read(std::span<const std::byte> image) const {
  if (image.size() != bytes_) throw error(errc::internal, "a parameter image has a wrong size");
  std::vector<std::int32_t> values;
  values.reserve(total_values());
  for (std::size_t s = 0; s < section_count; ++s) {
    for (std::size_t i = 0; i < count_[s]; ++i) {
      if (s == weights)
        values.push_back(value_at<std::int32_t>(image, offset_[s], i));
      else if (s == cells)
        values.push_back(stretch(value_at<std::uint32_t>(image, offset_[s], i) >> 16));
      else
        values.push_back(stretch(value_at<std::uint16_t>(image, offset_[s], i)));
    }
  }
  return values;
}

std::vector<std::byte> parameter_layout::write(std::span<const std::int32_t> values) const {
  std::vector<std::byte> image(bytes_);
  std::size_t next = 0;
  for (std::size_t s = 0; s < section_count; ++s) {
    for (std::size_t i = 0; i < count_[s]; ++i) {
      const std::int32_t value = values[next++];
      if (s == weights)
        at<std::int32_t>(image, offset_[s])[i] = value;
      else if (s == cells)
        at<std::uint32_t>(image, offset_[s])[i] =
            make_cell(i % cells_per_lane == 0 ? 32768 : static_cast<std::uint32_t>(squash(value)));
      else
        at<std::uint16_t>(image, offset_[s])[i] = static_cast<std::uint16_t>(squash(value));
    }
  }
  return image;
}

std::vector<std::uint8_t> parameter_layout::quantise(std::span<const std::byte> image) const {
  const std::vector<std::int32_t> values = read(image);
  const auto first_weight = weights_begin();
  std::vector<std::uint8_t> quantised(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    quantised[i] = i - first_weight < count_[weights] ? quantise_weight(values[i])
                                                      : quantise_stretch(values[i]);
  return quantised;
}

std::vector<std::byte> parameter_layout::restore(std::span<const std::uint8_t> values) const {
  if (values.size() != total_values())
    throw error(errc::damaged, "the number of parameters does not fit the predictor");
  const auto first_weight = weights_begin();
  std::vector<std::int32_t> restored(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    restored[i] =
        i - first_weight < count_[weights] ? restore_weight(values[i]) : restore_stretch(values[i]);
  return write(restored);
}

std::size_t parameter_layout::weights_begin() const noexcept {
  return std::accumulate(count_.begin(), count_.begin() + weights, std::size_t{0});
}

parameter_mean::parameter_mean(const parameter_layout& layout)
    : layout_(&layout), sums_(layout.total_values()) {}

void parameter_mean::add(std::span<const std::byte> image) {
  const std::vector<std::int32_t> values = layout_->read(image);
  for (std::size_t i = 0; i < values.size(); ++i) sums_[i] += values[i];
  ++images_;
}

std::vector<std::byte> parameter_mean::image() const {
  std::vector<std::int32_t> means(sums_.size());
  for (std::size_t i = 0; i < means.size(); ++i)
    means[i] = static_cast<std::int32_t>(sums_[i] / images_);
  return layout_->write(means);
}

}  // namespace lmzip::model
