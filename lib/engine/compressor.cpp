#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/codec_data.h"
#include "codec/model_file.h"
#include "engine/base_pool.h"
#include "engine/base_router.h"
#include "engine/block_cutter.h"
#include "engine/block_io.h"
#include "engine/compressor.h"
#include "engine/cut_coder.h"
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
  if (options.search != tensor_search::by_level) plan.search = effort_of(options.search);
  if (plan.search != codec::brevis::search_effort::none)
    plan.leaves = std::make_shared<const codec::brevis::leaf_coding>(plan.search);
  return plan;
}

memory_need need_of(const level_plan& plan, const base_handle& base) {
  memory_need need{
      .per_thread = std::max(routing_memory(plan.ways, plan.block_bytes),
                             memory_to_route_numbers(plan, plan.block_bytes)),
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
                           memory_to_decode_numbers(plan, plan.block_bytes));
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

class compression final : public ordered_work {
 public:
  /// `first` was read already.
  compression(block_cutter& in, uncoded_cut first, sink& out, const level_plan& plan,
              const compress_options& options, base_pool* base, std::size_t slots)
      : in_(in),
        first_(std::move(first)),
        options_(options),
        coder_(plan, options.strong, base),
        finds_repeats_(plan.window != 0),
        finder_(plan.window),
        slots_(slots),
        writer_(out, header_for(plan, options, base)) {
    if (!options.model_file.empty()) writer_.append_model(options.model_file);
  }

  bool read(std::size_t slot) override {
    check_stop();
    uncoded_cut& from = slots_[slot].from;
    if (first_) {
      from = std::move(*first_);
      first_.reset();
    } else {
      from.size = in_.read(from.buffer, from.holds, from.based);
    }
    if (from.size == 0) return false;
    const content& holds = from.holds.holds;
    if (finds_repeats_)
      from.repeats = finder_.find(from.plain(), holds.has_numbers() || !holds.tensors.empty());
    return true;
  }

  void work(std::size_t slot) override {
    check_stop();
    job& j = slots_[slot];
    j.blocks = coder_.code(j.from, j.scratch);
  }

  void write(std::size_t slot) override {
    check_stop();
    job& j = slots_[slot];
    for (const container::sealed_block& each : j.blocks) writer_.append(each);
    j.blocks.clear();
    if (options_.on_progress) options_.on_progress({writer_.plain_bytes(), writer_.member_bytes()});
  }

  totals finish() {
    const auto member = writer_.finish();
    if (options_.on_progress) options_.on_progress({member.plain_bytes, member.member_bytes});
    return {member.plain_bytes, member.member_bytes, member.blocks, 1};
  }

 private:
  struct job {
    uncoded_cut from;
    cut_scratch scratch;
    std::vector<container::sealed_block> blocks;
  };

  void check_stop() const {
    if (options_.stop.stop_requested()) throw error(errc::canceled, "canceled");
  }

  block_cutter& in_;
  std::optional<uncoded_cut> first_;
  const compress_options& options_;
  cut_coder coder_;
  bool finds_repeats_;
  repeat_finder finder_;
  std::vector<job> slots_;
  container::member_writer writer_;
};

}  // namespace

totals compress(source& in, sink& out, const level_plan& for_level,
                const compress_options& options) {
  const bool seeks_programs = for_level.search != codec::brevis::search_effort::none;
  block_cutter cutter(in, for_level.block_bytes, options.base.get(),
                      seeks_programs ? gathering::tensors : gathering::none);
  base_pool* const base = cutter.uses_base() ? options.base.get() : nullptr;
  uncoded_cut first;
  first.size = cutter.read(first.buffer, first.holds, first.based);
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
