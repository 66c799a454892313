#include "engine/block_decoder.h"

#include <optional>
#include <string>

#include "codec/codec.h"
#include "codec/codec_data.h"
#include "codec/delta/delta_block.h"
#include "codec/shipped_models.h"
#include "core/hash.h"
#include "engine/base_pool.h"
#include "engine/long_range/history.h"
#include "engine/models.h"
#include "lmzip/error.h"

namespace lmzip::engine {
namespace {

[[noreturn]] void corrupt(const container::block& coded, const std::string& why) {
  throw error(errc::damaged, container::corrupt_block_text(coded.number, coded.offset) + ": " + why,
              coded.offset);
}

// Without its header nobody knows what a block was made with: then its hash has to tell.
void check_needs(const container::block& coded, const container::member_begin& member) {
  if (member.header_lost) return;
  const container::member_header& header = member.header;
  const auto id = static_cast<codec::codec_id>(coded.header.codec);
  if (codec::needs_base(id) && header.base_depth == 0)
    corrupt(coded, "needs a base, of which its member says nothing");
  if ((codec::needs_codec_data(id) || header.codec_data != codec::no_codec_data) &&
      header.codec_data != codec::codec_data_id())
    throw error(errc::unsupported,
                "made with other codec data (id " + to_hex(header.codec_data).substr(0, 16) +
                    "); needs the lmzip build that made it",
                coded.offset);
}

const codec::decoder& decoder_for(const container::block& coded) {
  const auto id = static_cast<codec::codec_id>(coded.header.codec);
  const codec::decoder* known = codec::find_decoder(id, coded.header.codec_version);
  if (known == nullptr)
    throw error(errc::unsupported,
                "needs a newer lmzip (codec " + std::to_string(coded.header.codec) + " version " +
                    std::to_string(coded.header.codec_version) + ")",
                coded.offset);
  return *known;
}

/// The model that a block is decoded with.
model_handle model_of(const container::block& coded, const container::member_begin& member,
                      const codec::decoder& how, const model_handle& of_member) {
  if (!how.needs_model(coded.header.parameters)) return nullptr;
  const model_handle found = member.header_lost
                                 ? codec::shipped_model_with_mark(coded.header.parameters >> 16)
                                 : of_member;
  if (found == nullptr)
    throw error(errc::missing,
                member.header_lost || !member.header.model
                    ? "needs a model whose name is lost"
                    : "needs the model " + to_hex(*member.header.model),
                coded.offset);
  return found;
}

// A member's header promises how much memory a block takes; callers have relied on it.
void check_memory(const container::block& coded, const container::member_begin& member,
                  const codec::decoder& how, const model_handle& model,
                  std::uint64_t memory_limit) {
  const auto& header = coded.header;
  const std::uint64_t working = how.memory(header.parameters, header.plain_bytes, model.get());
  if (!member.header_lost) {
    if (working > member.header.memory) corrupt(coded, "needs more memory than its member says");
    return;
  }
  const std::uint64_t need = working + header.plain_bytes + header.coded_bytes;
  if (memory_limit != 0 && need > memory_limit)
    throw error(errc::memory_limit,
                "needs " + std::to_string(need) + " bytes of memory, more than the limit of " +
                    std::to_string(memory_limit),
                coded.offset);
}

/// Decodes what stands in the payload of a block with repeats.
decoded_block decode_literals(const container::block& coded, const container::member_begin& member,
                              const codec::decoder& how, const codec::decoding_context& context,
                              byte_buffer& into) {
  const auto& header = coded.header;
  repeat_list list =
      read_repeats(coded.payload, header.plain_bytes, header.plain_offset, member.header.window);
  if (list.repeats.empty()) throw error(errc::damaged, "refers to nothing");
  const std::size_t literals =
      header.plain_bytes - static_cast<std::size_t>(bytes_of(list.repeats));
  const auto payload = std::span(coded.payload).subspan(list.coded_bytes);
  const auto both = into.take(header.plain_bytes + literals);
  if (literals > 0)
    how.decode(header.parameters, payload, both.subspan(header.plain_bytes), context);
  else if (!payload.empty() || how.codec != codec::codec_id::store)
    throw error(errc::damaged, "codes bytes that it does not have");
  const auto plain = both.first(header.plain_bytes);
  spread_literals(both.subspan(header.plain_bytes), list.repeats, plain);
  return {plain, std::move(list.repeats)};
}

void check_hashes(const container::block& coded, std::span<const std::byte> plain) {
  if (xxh3_64(plain) != coded.header.plain_hash) corrupt(coded, "wrong checksum after decoding");
  if (coded.header.digest && sha256_of(plain) != *coded.header.digest)
    corrupt(coded, "wrong SHA-256 after decoding");
}

}  // namespace

void check_base(const container::member_begin& member, const base_handle& base) {
  if (member.header_lost || member.header.base_depth == 0 || base != nullptr) return;
  throw error(errc::missing, "needs a base, and none was given", member.offset);
}

memory_need decoding_need(const container::member_begin& member, const model_handle& model) {
  // A lost header limits nothing; decode_block() then looks at each block.
  if (member.header_lost) return {.fixed = reader_bytes};
  memory_need need{.per_thread = member.header.memory,
                   .per_slot = 2 * std::uint64_t{member.header.block_bytes},  // plain and coded
                   .fixed = reader_bytes + memory_of(model)};
  if (member.header.window != 0) {
    need.per_slot +=
        member.header.block_bytes;  // bytes that are not repeats, before they are spread
    need.fixed += history::memory(member.header.window);
  }
  return need;
}

decoded_block decode_block(const container::block& coded, const container::member_begin& member,
                           const block_needs& needs, std::uint64_t memory_limit,
                           byte_buffer& into) {
  check_needs(coded, member);
  const codec::decoder& how = decoder_for(coded);
  const model_handle model = model_of(coded, member, how, needs.model);
  std::optional<base_view> base;
  if (needs.base != nullptr)
    base.emplace(*needs.base, member.header_lost ? max_base_depth : member.header.base_depth);
  decoded_block decoded;
  try {
    check_memory(coded, member, how, model, memory_limit);
    const codec::decoding_context context{model.get(), base ? &*base : nullptr};
    if (coded.header.type == container::block_type::reference)
      return decode_literals(coded, member, how, context, into);
    decoded.plain = into.take(coded.header.plain_bytes);
    how.decode(coded.header.parameters, coded.payload, decoded.plain, context);
  } catch (const error& cause) {
    if (cause.code() != errc::damaged || cause.offset() != error::no_offset) throw;
    corrupt(coded, cause.what());
  }
  check_hashes(coded, decoded.plain);
  return decoded;
}

void complete_block(const container::block& coded, const decoded_block& decoded,
                    const earlier_bytes& earlier) {
  if (decoded.repeats.empty()) return;
  for (const repeat& r : decoded.repeats)
    earlier(coded.header.plain_offset + r.position - r.distance,
            decoded.plain.subspan(r.position, r.bytes));
  check_hashes(coded, decoded.plain);
}

}  // namespace lmzip::engine
