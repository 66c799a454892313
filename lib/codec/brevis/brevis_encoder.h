#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codec/brevis/brevis_codec.h"
#include "codec/brevis/program_search.h"
#include "codec/brevis/tensor_part.h"

namespace lmzip::codec {
namespace brevis {

/// Programs of the tensors of a block, in order; nothing for those without structure.
std::vector<std::optional<found_program>> find_programs(std::span<const tensor_part> parts,
                                                        std::span<const std::byte> plain,
                                                        const search_options& options,
                                                        const leaf_coding& leaves,
                                                        search_statistics* statistics = nullptr);

/// What encode() does where no tensor has structure.
enum class without_structure { give_up, code_all_the_same };

/// What encode() made of a block.
struct coded_block {
  std::vector<std::byte> payload;
  std::uint64_t structured_bytes = 0;  ///< plain bytes of the tensors that have programs
  std::uint64_t program_bytes = 0;     ///< what those programs take
};

/// Codes a block whose bytes are those of `parts`, whole elements each, and decodes it again to be
/// sure. Nothing if no program is found and `otherwise` says so. Throws error(internal) if the
/// block does not decode to `plain`, or the parts are not those of `plain`.
std::optional<coded_block> encode(std::span<const tensor_part> parts,
                                  std::span<const std::byte> plain, const search_options& options,
                                  const leaf_coding& leaves, without_structure otherwise);

/// Memory that encode() takes besides arguments and result.
std::uint64_t encoding_memory(const leaf_coding& leaves, std::uint64_t plain_bytes);

}  // namespace brevis

/// An encoder for the block that `parts` describe; `leaves` may serve many. Gives an empty payload
/// where it finds no structure and `otherwise` says so.
std::unique_ptr<encoder> make_brevis_encoder(std::vector<brevis::tensor_part> parts,
                                             const brevis::search_options& options,
                                             std::shared_ptr<const brevis::leaf_coding> leaves,
                                             brevis::without_structure otherwise);

}  // namespace lmzip::codec
