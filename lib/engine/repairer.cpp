#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "codec/codec.h"
#include "codec/codec_data.h"
#include "codec/shipped_models.h"
#include "codec/zstd/zstd_codec.h"
#include "engine/block_decoder.h"
#include "engine/block_io.h"
#include "engine/long_range/history.h"
#include "engine/models.h"
#include "formats/container/reader.h"
#include "formats/container/writer.h"
#include "lmzip/error.h"
#include "lmzip/inspect.h"

namespace lmzip {
namespace {

// What a block whose member's header was lost allows its new member to be: the block as largest.
container::member_header header_for(const container::block& first) {
  const auto& block = first.header;
  const auto codec = static_cast<codec::codec_id>(block.codec);
  const auto* how = codec::find_decoder(codec, block.codec_version);
  container::member_header header;
  header.strong = block.digest.has_value();
  header.block_bytes = std::max(block.plain_bytes, container::min_block_size);
  const auto model = how->needs_model(block.parameters)
                         ? codec::shipped_model_with_mark(block.parameters >> 16)
                         : nullptr;
  if (model != nullptr) header.model = model->id;
  header.memory = how->memory(block.parameters, header.block_bytes, model.get());
  if (codec::needs_codec_data(codec)) header.codec_data = codec::codec_data_id();
  return header;
}

// Whether a block may stand in a member that was begun for another block.
bool fits(const container::member_header& member, const container::block& next) {
  const container::member_header own = header_for(next);
  return own.strong == member.strong && own.block_bytes <= member.block_bytes &&
         own.memory <= member.memory && (!own.model || own.model == member.model) &&
         (own.codec_data == member.codec_data || own.codec_data == codec::no_codec_data);
}

class repair_run {
 public:
  repair_run(source& in, sink& out, const decompress_options& options)
      : out_(out),
        options_(options),
        reader_(in, {.resynchronise = true, .model_limit = options.memory_limit}) {}

  repair_report run() {
    for (;;) {
      if (options_.stop.stop_requested()) throw error(errc::canceled, "canceled");
      container::event next = reader_.next();
      if (std::holds_alternative<container::end_of_archive>(next)) break;
      if (auto* begin = std::get_if<container::member_begin>(&next)) begin_member(*begin);
      if (auto* block = std::get_if<container::block>(&next)) copy(*block);
      if (auto* lost = std::get_if<container::damage>(&next)) lose(*lost, lost->plain_offset);
    }
    end_member();
    if (report_.written.members == 0) {
      if (report_.lost.empty()) throw error(errc::not_lmzip, "not in lmzip format");
      const damage& first = report_.lost.front();
      throw error(first.code == errc::unsupported ? first.code : errc::not_lmzip,
                  "nothing intact is left: " + first.text, first.offset);
    }
    return std::move(report_);
  }

 private:
  void begin_member(const container::member_begin& begin) {
    end_member();
    member_ = begin;
    engine::check_base(begin, options_.base);  // else every block against it would seem lost
    model_ = engine::find_model(begin, options_.find_model);
    past_.reset();
    if (begin.header_lost) return;
    if (begin.header.window != 0) past_.emplace(begin.header.window);
    if (begin.model_file == nullptr) member_.header.model_bytes = 0;  // the model was lost
    open(member_.header);
    if (begin.model_file != nullptr) writer_->append_model(*begin.model_file);
    member_.model_file.reset();
  }

  void open(const container::member_header& header) {
    end_member();
    open_header_ = header;
    writer_.emplace(out_, header);
    ++report_.written.members;
  }

  void end_member() {
    if (!writer_) return;
    const auto member = writer_->finish();
    report_.written.plain_bytes += member.plain_bytes;
    report_.written.coded_bytes += member.member_bytes;
    report_.written.blocks += member.blocks;
    writer_.reset();
  }

  void copy(const container::block& block) {
    engine::decoded_block decoded;
    try {
      decoded = engine::decode_block(block, member_, {model_, options_.base}, options_.memory_limit,
                                     buffer_);
      engine::complete_block(block, decoded, [&](std::uint64_t offset, std::span<std::byte> out) {
        copy_earlier(block, offset, out);
      });
    } catch (const error& cause) {
      if (cause.code() == errc::memory_limit) throw;
      lose({cause.code(), cause.what(), block.offset, block.header.plain_offset,
            block.header.in_stream() ? block.header.plain_bytes : 0},
           block.header.plain_offset);
      return;
    }
    if (past_ && block.header.in_stream()) {
      past_->append_lost(block.header.plain_offset -
                         std::min(past_->end(), block.header.plain_offset));
      past_->append(decoded.plain);
    }
    if (!writer_ || (member_.header_lost && !fits(open_header_, block))) open(header_for(block));
    // What was lost before it makes its distances wrong.
    if (decoded.repeats.empty() || block.header.plain_offset == writer_->plain_bytes())
      writer_->append(block.header, block.payload);
    else
      append_anew(block.header, decoded.plain);
    if (options_.on_progress)
      options_.on_progress({report_.written.plain_bytes + writer_->plain_bytes(),
                            report_.written.coded_bytes + writer_->member_bytes()});
  }

  void copy_earlier(const container::block& block, std::uint64_t offset,
                    std::span<std::byte> out) const {
    if (!past_ || offset < past_->begin() || offset + out.size() > past_->end())
      throw error(
          errc::damaged,
          container::corrupt_block_text(block.number, block.offset) + ": what it refers to is lost",
          block.offset);
    past_->copy(offset, out);
  }

  /// Without references, and with a codec that needs nothing.
  void append_anew(const container::block_header& as, std::span<const std::byte> plain) {
    static const auto zstd = codec::make_zstd_encoder(3);
    container::block_header header = as;
    codec::encoded coded = zstd->encode(plain);
    if (coded.coded.size() > plain.size()) coded = {{}, {plain.begin(), plain.end()}};
    header.type = container::block_type::data;
    header.codec = static_cast<std::uint8_t>(coded.how.codec);
    header.codec_version = coded.how.version;
    header.parameters = coded.how.parameters;
    writer_->append(header, coded.coded);
  }

  void lose(const container::damage& lost, std::uint64_t plain_offset) {
    report_.lost.push_back({lost.code, lost.text, lost.offset, plain_offset, lost.plain_bytes});
    if (options_.on_damage) options_.on_damage(report_.lost.back());
  }

  sink& out_;
  const decompress_options& options_;
  container::stream_reader reader_;
  container::member_begin member_;
  model_handle model_;
  container::member_header open_header_;
  std::optional<container::member_writer> writer_;
  engine::byte_buffer buffer_;
  std::optional<engine::history> past_;  // of the member that is read
  repair_report report_;
};

}  // namespace

repair_report repair(source& in, sink& out, const decompress_options& options) {
  return repair_run(in, out, options).run();
}

}  // namespace lmzip
