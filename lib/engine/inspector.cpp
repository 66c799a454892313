#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "codec/brevis/block_payload.h"
#include "codec/brevis/program_text.h"
#include "codec/codec.h"
#include "codec/codec_data.h"
#include "core/hash.h"
#include "engine/block_decoder.h"
#include "engine/threads.h"
#include "formats/container/reader.h"
#include "lmzip/inspect.h"

namespace lmzip {
namespace {

block_description describe(const container::block& found) {
  const auto& header = found.header;
  block_description block{.offset = found.offset,
                          .plain_offset = header.plain_offset,
                          .plain_bytes = header.plain_bytes,
                          .coded_bytes = header.coded_bytes,
                          .refers = header.type == container::block_type::reference,
                          .codec = {},
                          .parameters = {},
                          .reason = std::string(container::reason_text(header.why)),
                          .programs = {}};
  const auto* how =
      codec::find_decoder(static_cast<codec::codec_id>(header.codec), header.codec_version);
  block.codec = how != nullptr ? std::string(how->name) : "codec " + std::to_string(header.codec);
  block.codec += ' ' + std::to_string(header.codec_version);
  if (how != nullptr) block.parameters = how->describe(header.parameters);
  return block;
}

member_description describe(const container::member_begin& begin) {
  member_description member;
  member.offset = begin.offset;
  member.block_bytes = begin.header.block_bytes;
  member.memory_per_block = engine::memory_of(engine::decoding_need(begin, nullptr), 1);
  member.window = begin.header.window;
  member.format_version = container::format_version;
  member.strong = begin.header.strong;
  if (begin.header.codec_data != codec::no_codec_data)
    member.codec_data = to_hex(begin.header.codec_data);
  if (begin.header.model) member.model = to_hex(*begin.header.model);
  member.model_bytes = begin.header.model_bytes;
  member.base_depth = begin.header.base_depth;
  member.name = begin.header.name;
  return member;
}

// The programs of a block, which its payload holds.
std::vector<tensor_program> programs_of(const container::block& found) {
  namespace brevis = codec::brevis;
  std::vector<tensor_program> programs;
  if (static_cast<codec::codec_id>(found.header.codec) != codec::codec_id::brevis ||
      codec::find_decoder(codec::codec_id::brevis, found.header.codec_version) == nullptr)
    return programs;
  const brevis::block_program block = brevis::read_block(found.payload);
  std::uint64_t offset = found.header.plain_offset;
  for (std::size_t i = 0; i < block.tensors.size(); ++i) {
    const brevis::tensor_type& type = block.tensors[i];
    programs.push_back(
        {offset, type.bytes(), brevis::to_text(type), brevis::to_text(block.programs[i], type)});
    offset += type.bytes();
  }
  return programs;
}

}  // namespace

std::vector<member_description> inspect(source& in, const inspect_options& options) {
  container::stream_reader reader(in, {.skip_payloads = !options.programs});
  std::vector<member_description> members;
  for (;;) {
    const container::event next = reader.next();
    if (std::holds_alternative<container::end_of_archive>(next)) return members;
    if (const auto* begin = std::get_if<container::member_begin>(&next)) {
      members.push_back(describe(*begin));
    } else if (const auto* block = std::get_if<container::block>(&next)) {
      if (!block->header.in_stream()) continue;
      members.back().blocks.push_back(describe(*block));
      if (options.programs) members.back().blocks.back().programs = programs_of(*block);
    } else if (const auto* end = std::get_if<container::member_end>(&next)) {
      members.back().plain_bytes = end->end.plain_bytes;
      members.back().coded_bytes = end->offset - members.back().offset;
    }
  }
}

}  // namespace lmzip
