#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/hash.h"
#include "model/neural/language_model.h"

namespace lmzip::codec {

/// Largest model file. The models that ship have 16 MB at most.
inline constexpr std::uint64_t largest_model_file = std::uint64_t{1} << 28;

/// What a model file (vocab/SPEC.md) says besides the numbers of the network.
struct model_facts {
  std::string description;  ///< UTF-8, one line, at most 200 bytes; may be empty
  hash256 vocabulary{};     ///< content hash of the vocabulary that the tokens are of
  hash256 check{};          ///< model_check_hash() of the network
};

/// A model as codecs use it. Immutable.
struct shared_model {
  hash256 id{};  ///< SHA-256 of the file without its last 32 bytes, which are this
  std::uint64_t file_bytes = 0;
  model_facts facts;
  model::neural::language_model network;
};

/// Reads a model file and checks every number in it. Throws error: damaged for any fault, and
/// unsupported for a newer format or another vocabulary than this build's.
std::shared_ptr<const shared_model> read_model(std::span<const std::byte> file);

/// The numbers of a model file, checked in the same way.
model::neural::stored_model read_model_numbers(std::span<const std::byte> file);

/// The same as read_model() for a file that is known to be whole: its hash is not computed.
std::shared_ptr<const shared_model> read_sound_model(std::span<const std::byte> file);

/// SHA-256 over the chances that a network gives along a fixed sequence of 512 tokens, while its
/// head adapts: the same on every machine that computes as the specification says. Takes some
/// milliseconds.
hash256 model_check_hash(const model::neural::language_model& network);

/// The file of a model; vocabulary and check of `facts` are filled in. Throws error(damaged) if the
/// numbers are no model. The encoder library has it.
std::vector<std::byte> pack_model(const model::neural::stored_model& stored, model_facts facts);

/// The first two bytes of a model's id.
inline std::uint32_t mark_of(const hash256& id) noexcept {
  return std::to_integer<std::uint32_t>(id[0]) << 8 | std::to_integer<std::uint32_t>(id[1]);
}
inline std::uint32_t mark_of(const shared_model& model) noexcept { return mark_of(model.id); }

namespace detail {
inline constexpr unsigned model_format = 0;  ///< of the arithmetic and the sections
inline constexpr std::size_t max_description = 200;
}  // namespace detail

}  // namespace lmzip::codec
