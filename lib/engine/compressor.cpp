#include <algorithm>
#include <string>
#include <vector>

#include "codec/codec_data.h"
#include "codec/model_file.h"
#include "core/hash.h"
#include "engine/block_cutter.h"
#include "engine/block_io.h"
#include "engine/compressor.h"
#include "engine/levels.h"
#include "engine/models.h"
#include "engine/number_levels.h"
#include "engine/ordered_work.h"
#include "engine/threads.h"
#include "formats/container/writer.h"
#include "lmzip/compress.h"
#include "lmzip/error.h"

namespace lmzip::engine {
namespace {

void check(const compress_options& options) {
  if (options.block_bytes != 0 &&
      (options.block_bytes < min_block_bytes || options.block_bytes > max_block_bytes))
    throw error(errc::usage,
                "no block size " + std::to_string(options.block_bytes) + " (4 KiB to 1 GiB)");
  if (options.name.size() > container::max_name_bytes)
    throw error(errc::usage,
                "the name is longer than " + std::to_string(container::max_name_bytes) + " bytes");
  if (options.name.find('\0') != std::string::npos)
    throw error(errc::usage, "the name contains a NUL byte");
}

static_assert(max_model_file_bytes == codec::largest_model_file &&
                  max_model_file_bytes <= container::max_model_bytes,
              "every model that can be read can be brought along");

void check_model_file(std::span<const std::byte> file, const model_handle& model) {
  if (model == nullptr || id_of_model_file(file) != model->id)
    throw error(errc::usage, "the model to bring along is not the one that is used");
}

codec::brevis::search_effort effort_of(tensor_search search) {
  switch (search) {
    case tensor_search::fast:
      return codec::brevis::search_effort::fast;
    case tensor_search::full:
      return codec::brevis::search_effort::full;
    default:
      return codec::brevis::search_effort::none;
  }
}

// A level with what the caller set himself.
level_plan plan_for(const compress_options& options) {
  check(options);
  level_plan plan = plan_level(options.level, options.model);
  if (!options.model_file.empty()) check_model_file(options.model_file, plan.ways.model);
  plan.ways.verify = options.verify;
  if (options.block_bytes != 0) plan.block_bytes = options.block_bytes;
  if (options.search != tensor_search::by_level) plan.search = effort_of(options.search);
  if (plan.search != codec::brevis::search_effort::none)
    plan.leaves = std::make_shared<const codec::brevis::leaf_coding>(plan.search);
  return plan;
}

memory_need need_of(const level_plan& plan) {
  return {.per_thread = std::max(routing_memory(plan.ways, plan.block_bytes),
                                 memory_to_route_numbers(plan, plan.block_bytes)),
          .per_slot = 2 * plan.block_bytes,
          .fixed = (std::uint64_t{1} << 20) + memory_of(plan.ways.model)};
}

container::member_header header_for(const level_plan& plan, const compress_options& options) {
  container::member_header header;
  header.strong = options.strong;
  header.block_bytes = static_cast<std::uint32_t>(plan.block_bytes);
  header.memory = std::max(decoding_memory(plan.ways, plan.block_bytes),
                           memory_to_decode_numbers(plan, plan.block_bytes));
  if (plan.needs_codec_data) header.codec_data = codec::codec_data_id();
  if (plan.ways.model != nullptr) header.model = plan.ways.model->id;
  header.model_bytes = options.model_file.size();
  header.name = options.name;
  return header;
}

class compression final : public ordered_work {
 public:
  compression(block_cutter& in, sink& out, const level_plan& plan, const compress_options& options,
              std::size_t slots)
      : in_(in),
        plan_(plan),
        options_(options),
        slots_(slots),
        writer_(out, header_for(plan, options)) {
    if (!options.model_file.empty()) writer_.append_model(options.model_file);
  }

  bool read(std::size_t slot) override {
    check_stop();
    block& b = slots_[slot];
    b.size = in_.read(b.buffer, b.next);
    return b.size > 0;
  }

  void work(std::size_t slot) override {
    check_stop();
    block& b = slots_[slot];
    const auto plain = b.buffer.first(b.size);
    bool clearly = false;
    auto blocks = as_programs(b, plain, clearly);
    if (!clearly) {
      auto others = as_numbers(b, plain);
      if (blocks.empty() || size_of(others) <= size_of(blocks)) blocks = std::move(others);
    }
    b.sealed = std::move(blocks);
  }

  void write(std::size_t slot) override {
    check_stop();
    block& b = slots_[slot];
    for (const container::sealed_block& sealed : b.sealed) writer_.append(sealed);
    b.sealed = {};
    if (options_.on_progress) options_.on_progress({writer_.plain_bytes(), writer_.member_bytes()});
  }

  totals finish() {
    const auto member = writer_.finish();
    if (options_.on_progress) options_.on_progress({member.plain_bytes, member.member_bytes});
    return {member.plain_bytes, member.member_bytes, member.blocks, 1};
  }

 private:
  struct block {
    byte_buffer buffer;
    std::size_t size = 0;  // plain bytes in the buffer
    cut next;
    byte_buffer scratch;
    std::vector<container::sealed_block> sealed;
  };

  static std::uint64_t size_of(const std::vector<container::sealed_block>& blocks) {
    // What stands around a payload, about.
    constexpr std::uint64_t around = 56;
    std::uint64_t bytes = 0;
    for (const container::sealed_block& block : blocks) bytes += block.payload.size() + around;
    return bytes;
  }

  container::sealed_block seal(std::span<const std::byte> plain, routed result) const {
    container::block_header header;
    header.codec = static_cast<std::uint8_t>(result.how.codec);
    header.codec_version = result.how.version;
    header.parameters = result.how.parameters;
    header.why = result.why;
    header.plain_bytes = static_cast<std::uint32_t>(plain.size());
    header.plain_hash = xxh3_64(plain);
    if (options_.strong) header.digest = sha256_of(plain);
    return container::seal(header, std::move(result.coded));
  }

  container::sealed_block as_block(const content& holds, std::span<const std::byte> plain,
                                   byte_buffer& scratch) const {
    if (!holds.has_numbers()) return seal(plain, route(plan_.ways, plain, scratch));
    return seal(plain, route(routing_of_numbers(plan_.level, holds, plain.size(), plan_.ways),
                             plain, scratch));
  }

  /// The blocks that a cut falls into by type and size.
  std::vector<container::sealed_block> as_numbers(block& b, std::span<const std::byte> plain) {
    std::vector<container::sealed_block> blocks;
    if (b.next.parts.empty()) {
      blocks.push_back(as_block(b.next.holds, plain, b.scratch));
      return blocks;
    }
    std::size_t at = 0;
    for (const cut& part : b.next.parts) {
      // Only the last one can be shorter than was promised.
      const auto bytes =
          static_cast<std::size_t>(std::min<std::uint64_t>(part.bytes, plain.size() - at));
      if (bytes == 0) break;
      blocks.push_back(as_block(part.holds, plain.subspan(at, bytes), b.scratch));
      at += bytes;
    }
    return blocks;
  }

  /// A block of programs and what leads it, or nothing where no tensor has structure.
  std::vector<container::sealed_block> as_programs(block& b, std::span<const std::byte> plain,
                                                   bool& clearly) const {
    std::vector<container::sealed_block> blocks;
    const cut& next = b.next;
    if (plan_.leaves == nullptr || next.holds.tensors.empty() || plain.size() != next.bytes)
      return blocks;
    const auto lead = static_cast<std::size_t>(next.lead);
    const auto tensors = plain.subspan(lead);
    auto programs = code_programs(plan_, next.holds, tensors, next.parts.size());
    if (!programs) return blocks;
    clearly = programs->clearly;
    if (lead > 0) blocks.push_back(as_block({}, plain.first(lead), b.scratch));
    blocks.push_back(seal(tensors, std::move(programs->block)));
    return blocks;
  }

  void check_stop() const {
    if (options_.stop.stop_requested()) throw error(errc::canceled, "canceled");
  }

  block_cutter& in_;
  const level_plan& plan_;
  const compress_options& options_;
  std::vector<block> slots_;
  container::member_writer writer_;
};

}  // namespace

totals compress(source& in, sink& out, const level_plan& plan, const compress_options& options) {
  block_cutter cutter(
      in, plan.block_bytes,
      plan.search == codec::brevis::search_effort::none ? gathering::none : gathering::tensors);
  memory_need need = need_of(plan);
  need.fixed += cutter.memory();
  const thread_plan spread = plan_threads(need, options.threads, options.memory_limit);
  compression work(cutter, out, plan, options, spread.slots);
  run_parallel(work, spread.threads, spread.slots);
  return work.finish();
}

}  // namespace lmzip::engine

namespace lmzip {

std::uint64_t compress_memory(const compress_options& options, unsigned threads) {
  return engine::memory_of(engine::need_of(engine::plan_for(options)), threads);
}

totals compress(source& in, sink& out, const compress_options& options) {
  return engine::compress(in, out, engine::plan_for(options), options);
}

std::vector<std::byte> compress(std::span<const std::byte> plain, const compress_options& options) {
  engine::span_source in(plain);
  engine::vector_sink out;
  compress(in, out, options);
  return std::move(out.bytes);
}

}  // namespace lmzip
