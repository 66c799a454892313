#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/codec_data.h"
#include "codec/model_file.h"
#include "core/hash.h"
#include "engine/base_pool.h"
#include "engine/base_router.h"
#include "engine/block_cutter.h"
#include "engine/block_io.h"
#include "engine/compressor.h"
#include "engine/levels.h"
#include "engine/long_range/repeat_finder.h"
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
  if (options.window != window_of_level && options.window > max_window_bytes)
    throw error(errc::usage, "no window of " + std::to_string(options.window) + " (up to 1 TiB)");
  if (options.name.size() > container::max_name_bytes)
    throw error(errc::usage,
                "the name is longer than " + std::to_string(container::max_name_bytes) + " bytes");
  if (options.base != nullptr && options.base->depth() >= max_base_depth)
    throw error(errc::usage, "the base is at the end of too long a chain");
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

constexpr std::uint64_t least_block_with_window = std::uint64_t{1} << 20;

// A level with what the caller set himself.
level_plan plan_for(const compress_options& options) {
  check(options);
  level_plan plan = plan_level(options.level, options.model);
  if (!options.model_file.empty()) check_model_file(options.model_file, plan.ways.model);
  plan.ways.verify = options.verify;
  if (options.block_bytes != 0) plan.block_bytes = options.block_bytes;
  if (options.window != window_of_level)
    plan.window = options.window;
  else if (plan.block_bytes < least_block_with_window)
    plan.window = 0;  // who wants small blocks wants to decode little
  return plan;
}

memory_need need_of(const level_plan& plan, const base_handle& base) {
  memory_need need{
      .per_thread = std::max(routing_memory(plan.ways, plan.block_bytes),
                             memory_to_route_numbers(plan.level, plan.block_bytes, plan.ways)),
      .per_slot = 2 * plan.block_bytes,
      .fixed = (std::uint64_t{1} << 20) + memory_of(plan.ways.model) + memory_of(base)};
  if (plan.window != 0) {
    need.per_slot += plan.block_bytes;  // the bytes that are no repeats
    need.fixed += repeat_finder::memory(plan.window);
  }
  if (base != nullptr)
    need.per_thread += memory_to_route_against_base(plan.block_bytes, plan.ways.verify);
  return need;
}

container::member_header header_for(const level_plan& plan, const compress_options& options,
                                    const base_pool* base) {
  container::member_header header;
  header.strong = options.strong;
  header.block_bytes = static_cast<std::uint32_t>(plan.block_bytes);
  header.memory = std::max(decoding_memory(plan.ways, plan.block_bytes),
                           memory_to_decode_numbers(plan.level, plan.block_bytes, plan.ways));
  if (base != nullptr) {
    header.base_depth = static_cast<std::uint16_t>(base->depth() + 1);
    header.memory = std::max(header.memory, memory_to_decode_against_base(plan.block_bytes));
  }
  if (plan.needs_codec_data) header.codec_data = codec::codec_data_id();
  if (plan.ways.model != nullptr) header.model = plan.ways.model->id;
  header.model_bytes = options.model_file.size();
  header.window = plan.window;
  header.name = options.name;
  return header;
}

/// A block before it is coded.
struct uncoded_block {
  byte_buffer buffer;
  std::size_t size = 0;  // plain bytes in the buffer
  content holds;
  std::vector<based_part> parts;  // if it may be coded against the base

  std::span<std::byte> plain() { return buffer.first(size); }
};

class compression final : public ordered_work {
 public:
  /// `first` was read already.
  compression(block_cutter& in, uncoded_block first, sink& out, const level_plan& plan,
              const compress_options& options, base_pool* base, std::size_t slots)
      : in_(in),
        first_(std::move(first)),
        plan_(plan),
        options_(options),
        base_(base),
        finder_(plan.window),
        slots_(slots),
        writer_(out, header_for(plan, options, base)) {
    if (!options.model_file.empty()) writer_.append_model(options.model_file);
  }

  bool read(std::size_t slot) override {
    check_stop();
    block& b = slots_[slot];
    if (first_) {
      b.from = std::move(*first_);
      first_.reset();
    } else {
      b.from.size = in_.read(b.from.buffer, b.from.holds, b.from.parts);
    }
    if (b.from.size > 0 && plan_.window != 0)
      b.repeats = finder_.find(b.from.plain(), b.from.holds.has_numbers());
    return b.from.size > 0;
  }

  void work(std::size_t slot) override {
    check_stop();
    block& b = slots_[slot];
    b.sealed.clear();
    std::span<const std::byte> plain = b.from.plain();
    if (base_ == nullptr || b.from.parts.empty()) return work_without_base(b);
    const based_routing ways{plan_.level, plan_.ways, plan_.block_bytes, *base_};
    for (routed_part& each :
         route_against_base(ways, b.from.holds.type, b.from.parts, plain, b.scratch)) {
      b.sealed.push_back(seal(std::move(each.way), plain.first(each.bytes)));
      plain = plain.subspan(each.bytes);
    }
  }

  void write(std::size_t slot) override {
    check_stop();
    block& b = slots_[slot];
    for (const container::sealed_block& each : b.sealed) writer_.append(each);
    b.sealed.clear();
    if (options_.on_progress) options_.on_progress({writer_.plain_bytes(), writer_.member_bytes()});
  }

  totals finish() {
    const auto member = writer_.finish();
    if (options_.on_progress) options_.on_progress({member.plain_bytes, member.member_bytes});
    return {member.plain_bytes, member.member_bytes, member.blocks, 1};
  }

 private:
  struct block {
    uncoded_block from;
    std::vector<repeat> repeats;
    byte_buffer literals;
    byte_buffer scratch;
    std::vector<container::sealed_block> sealed;
  };

  /// By its repeats and what is left of it, if it has some.
  void work_without_base(block& b) const {
    const auto plain = b.from.plain();
    if (!b.repeats.empty()) {
      routed result = code_with_repeats(b);
      if (result.coded.size() <= plain.size())
        return b.sealed.push_back(seal(std::move(result), plain, container::block_type::reference));
    }
    b.sealed.push_back(seal(code_plain(plain, b.from.holds, b.scratch), plain));
  }

  routed code_plain(std::span<const std::byte> plain, const content& holds,
                    byte_buffer& scratch) const {
    if (!holds.has_numbers()) return route(plan_.ways, plain, scratch);
    return route(routing_of_numbers(plan_.level, holds, plain.size(), plan_.ways), plain, scratch);
  }

  routed code_with_repeats(block& b) const {
    const auto left = b.from.size - static_cast<std::size_t>(bytes_of(b.repeats));
    routed result;
    if (left > 0) {
      const auto literals = b.literals.take(left);
      gather_literals(b.from.plain(), b.repeats, literals);
      content holds = b.from.holds;
      holds.columns = 0;  // rows may be cut
      result = code_plain(literals, holds, b.scratch);
    }
    const auto list = write_repeats(b.repeats);
    result.coded.insert(result.coded.begin(), list.begin(), list.end());
    return result;
  }

  container::sealed_block seal(routed result, std::span<const std::byte> plain,
                               container::block_type type = container::block_type::data) const {
    container::block_header header;
    header.type = type;
    header.codec = static_cast<std::uint8_t>(result.how.codec);
    header.codec_version = result.how.version;
    header.parameters = result.how.parameters;
    header.why = result.why;
    header.plain_bytes = static_cast<std::uint32_t>(plain.size());
    header.plain_hash = xxh3_64(plain);
    if (options_.strong) header.digest = sha256_of(plain);
    return container::seal(header, std::move(result.coded));
  }

  void check_stop() const {
    if (options_.stop.stop_requested()) throw error(errc::canceled, "canceled");
  }

  block_cutter& in_;
  std::optional<uncoded_block> first_;
  const level_plan& plan_;
  const compress_options& options_;
  base_pool* base_;  // nullptr: none
  repeat_finder finder_;
  std::vector<block> slots_;
  container::member_writer writer_;
};

}  // namespace

totals compress(source& in, sink& out, const level_plan& for_level,
                const compress_options& options) {
  block_cutter cutter(in, for_level.block_bytes, options.base.get());
  base_pool* const base = cutter.uses_base() ? options.base.get() : nullptr;
  uncoded_block first;
  first.size = cutter.read(first.buffer, first.holds, first.parts);
  level_plan plan = for_level;
  if (cutter.at_end()) plan.window = 0;  // nothing can be referred to
  memory_need need = need_of(plan, options.base);
  need.fixed += cutter.memory();
  const thread_plan spread = plan_threads(need, options.threads, options.memory_limit);
  compression work(cutter, std::move(first), out, plan, options, base, spread.slots);
  run_parallel(work, spread.threads, spread.slots);
  return work.finish();
}

}  // namespace lmzip::engine

namespace lmzip {

std::uint64_t compress_memory(const compress_options& options, unsigned threads) {
  return engine::memory_of(engine::need_of(engine::plan_for(options), options.base), threads);
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
