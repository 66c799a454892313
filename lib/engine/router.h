#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codec/codec.h"
#include "engine/byte_buffer.h"
#include "formats/container/format.h"

namespace lmzip::engine {

/// What a block may be coded with.
struct routing {
  /// Tried for every block that is not constant; of several, the one with the smallest estimate.
  std::vector<std::shared_ptr<const codec::encoder>> candidates;
  /// Where a candidate fails; after it the block is stored.
  std::shared_ptr<const codec::encoder> fallback;
  /// Blocks hold the numbers of tensors, which begin with the block.
  bool holds_numbers = false;
  bool verify = false;  ///< decode and compare before a result is accepted
  /// That blocks may be coded with; nullptr: none.
  std::shared_ptr<const codec::shared_model> model{};
};

/// The way a block went.
struct routed {
  codec::method how;
  container::reason why = container::reason::level;
  std::vector<std::byte> coded;  ///< 1 … plain bytes
};

/// Codes one block that is not empty. Depends on the bytes and the routing only. `scratch` serves
/// the verification. Throws std::bad_alloc if even storing fails. Safe to call from several threads
/// with distinct `scratch`.
routed route(const routing& ways, std::span<const std::byte> plain, byte_buffer& scratch);

/// A piece of a sample.
struct sample_piece {
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

/// Where a block of numbers is sampled, in order: whole numbers of any type.
std::vector<sample_piece> pieces_of_numbers(std::size_t plain_bytes);

/// Those pieces, joined.
std::vector<std::byte> sample_of_numbers(std::span<const std::byte> plain);

/// Upper bound of what route() needs for a block besides the plain and the coded bytes.
std::uint64_t routing_memory(const routing& ways, std::uint64_t plain_bytes);

/// Upper bound of what any decoder of such a block needs besides the plain and the coded bytes.
std::uint64_t decoding_memory(const routing& ways, std::uint64_t plain_bytes);

}  // namespace lmzip::engine
