#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace lmzip {

namespace codec {
struct shared_model;
}

/// A language model that text is coded with, shared by all who use it. Immutable; nullptr: none.
using model_handle = std::shared_ptr<const codec::shared_model>;

/// Largest model file. The models that ship have 16 MB at most.
inline constexpr std::uint64_t max_model_file_bytes = std::uint64_t{1} << 28;

/// Names a model: a SHA-256 of its file.
using model_id = std::array<std::byte, 32>;

/// What is known of a model.
struct model_info {
  model_id id{};
  std::string description{};  ///< one line; may be empty
  std::string body{};         ///< "recurrent" or "transformer"
  std::uint64_t file_bytes = 0;
  std::uint64_t parameters = 0;  ///< weights of the network
  std::uint64_t work = 0;        ///< multiplications a token, without the head
  bool shipped = false;          ///< whether it is part of this build
};

/// Reads a model file. Throws error: damaged, or unsupported (a newer version's model, or one for
/// another vocabulary).
model_handle load_model(std::span<const std::byte> file);

/// The id of a model file, without reading more of it. Throws error(damaged) if it is none.
model_id id_of_model_file(std::span<const std::byte> file);

model_info describe_model(const model_handle& model);

/// Whether this machine computes with the model what it should; takes some milliseconds.
bool check_model(const model_handle& model);

/// The models that are part of this build.
std::vector<model_handle> shipped_models();

/// The one that a level uses if no other is given; nullptr for levels below 8.
model_handle model_of_level(int level);

/// The file of a model that is part of this build; empty if it is not.
std::span<const std::byte> shipped_model_file(const model_id& id);

/// Finds the model of an id, or returns nullptr.
using model_finder = std::function<model_handle(const model_id&)>;

}  // namespace lmzip

#pragma GCC visibility pop
