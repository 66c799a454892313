#include "codec/brevis/brevis_encoder.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "codec/brevis/block_payload.h"
#include "codec/brevis/block_writer.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace brevis {
namespace {

// Tensors from here on tell enough of their own distribution.
constexpr std::uint64_t own_statistics_bytes = std::uint64_t{64} << 10;

std::uint64_t columns_of(const tensor_type& type) noexcept {
  return type.shape.size() < 2 ? 0 : type.shape.back();
}

void check_parts(std::span<const tensor_part> parts, std::span<const std::byte> plain) {
  std::uint64_t bytes = 0;
  for (const tensor_part& part : parts) bytes += valid(part.type) ? part.type.bytes() : 0;
  if (parts.empty() || parts.size() > max_tensors || bytes != plain.size())
    throw error(errc::internal, "the tensors of a block are not its bytes");
}

std::span<const std::byte> bytes_at(std::span<const std::byte> plain, std::size_t& at,
                                    const tensor_type& type) {
  const auto bytes = plain.subspan(at, static_cast<std::size_t>(type.bytes()));
  at += bytes.size();
  return bytes;
}

node numbers_of(const tensor_type& type, std::span<const std::byte> bytes,
                const leaf_coding& leaves) {
  if (bytes.size() < own_statistics_bytes) return rest(type);
  auto coded = leaves.code(type.type, columns_of(type), bytes);
  return leaf(type, coded.coder, std::move(coded.payload));
}

void add_streams(block_program& block, std::span<const std::byte> plain,
                 const leaf_coding& leaves) {
  std::array<unsigned, dtype_count> tensors{};
  std::array<std::uint64_t, dtype_count> columns{};
  for (std::size_t i = 0; i < block.programs.size(); ++i) {
    const node& program = block.programs[i];
    const bool shared = program.what == op::leaf &&
                        program.literals[0] == static_cast<std::uint64_t>(leaf_coder::rest);
    if (!shared) continue;
    const auto type = static_cast<unsigned>(block.tensors[i].type);
    columns[type] = tensors[type]++ == 0 ? columns_of(block.tensors[i]) : 0;
  }
  for (unsigned i = 0; i < dtype_count; ++i) {
    if (tensors[i] == 0) continue;
    const auto type = static_cast<dtype>(i);
    auto coded = leaves.code(type, columns[i], gather_rest(block, type, plain));
    block.streams.push_back(make_stream(type, coded.coder, std::move(coded.payload)));
  }
}

void verify(std::span<const std::byte> coded, std::span<const std::byte> plain) {
  std::vector<std::byte> again(plain.size());
  decode_block(coded, again);
  if (std::memcmp(again.data(), plain.data(), plain.size()) != 0)
    throw error(errc::internal, "programs of tensors make other bytes");
}

class brevis_encoder final : public encoder {
 public:
  brevis_encoder(std::vector<tensor_part> parts, const search_options& options,
                 std::shared_ptr<const leaf_coding> leaves, without_structure otherwise)
      : parts_(std::move(parts)),
        options_(options),
        leaves_(std::move(leaves)),
        otherwise_(otherwise) {}

  std::string_view name() const noexcept override { return "brevis"; }

  std::uint64_t memory(std::uint64_t plain_bytes) const override {
    return encoding_memory(*leaves_, plain_bytes);
  }
  std::uint64_t decoder_memory(std::uint64_t plain_bytes) const override {
    return decoding_memory(plain_bytes);
  }

  /// A sample tells nothing of structure.
  outlook estimate(std::span<const std::byte>) const override { return {0, undecided}; }

  encoded encode_as(std::span<const std::byte> plain, std::uint32_t) const override {
    auto coded = brevis::encode(parts_, plain, options_, *leaves_, otherwise_);
    return {{codec_id::brevis, 0, 0}, coded ? std::move(coded->payload) : std::vector<std::byte>{}};
  }

 private:
  std::vector<tensor_part> parts_;
  search_options options_;
  std::shared_ptr<const leaf_coding> leaves_;
  without_structure otherwise_;
};

}  // namespace

std::vector<std::optional<found_program>> find_programs(std::span<const tensor_part> parts,
                                                        std::span<const std::byte> plain,
                                                        const search_options& options,
                                                        const leaf_coding& leaves,
                                                        search_statistics* statistics) {
  program_search search(options, leaves);
  std::vector<std::optional<found_program>> found;
  found.reserve(parts.size());
  std::size_t at = 0;
  for (const tensor_part& part : parts)
    found.push_back(
        search.find(part.type, part.name, bytes_at(plain, at, part.type), part.first_row));
  if (statistics != nullptr) *statistics = search.statistics();
  return found;
}

std::optional<coded_block> encode(std::span<const tensor_part> parts,
                                  std::span<const std::byte> plain, const search_options& options,
                                  const leaf_coding& leaves, without_structure otherwise) {
  check_parts(parts, plain);
  auto found = find_programs(parts, plain, options, leaves);
  const bool any = std::any_of(found.begin(), found.end(), [](const auto& p) { return bool(p); });
  if (!any && otherwise == without_structure::give_up) return std::nullopt;
  coded_block coded;
  block_program block;
  std::size_t at = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto bytes = bytes_at(plain, at, parts[i].type);
    if (found[i]) {
      coded.structured_bytes += bytes.size();
      coded.program_bytes += found[i]->bytes;
    }
    block.tensors.push_back(parts[i].type);
    block.programs.push_back(found[i] ? std::move(found[i]->program)
                                      : numbers_of(parts[i].type, bytes, leaves));
  }
  add_streams(block, plain, leaves);
  coded.payload = write_block(block);
  verify(coded.payload, plain);
  return coded;
}

std::uint64_t encoding_memory(const leaf_coding& leaves, std::uint64_t plain_bytes) {
  // Targets of partial programs, results, programs, the coded block and what verifies it.
  constexpr std::uint64_t fixed = std::uint64_t{8} << 20;
  return fixed + 8 * plain_bytes +
         std::max(leaves.memory(plain_bytes), decoding_memory(plain_bytes));
}

}  // namespace brevis

std::unique_ptr<encoder> make_brevis_encoder(std::vector<brevis::tensor_part> parts,
                                             const brevis::search_options& options,
                                             std::shared_ptr<const brevis::leaf_coding> leaves,
                                             brevis::without_structure otherwise) {
  return std::make_unique<brevis::brevis_encoder>(std::move(parts), options, std::move(leaves),
                                                  otherwise);
}

}  // namespace lmzip::codec
