#include "engine/decompressor.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base_pool.h"
#include "engine/block_decoder.h"
#include "engine/block_io.h"
#include "engine/long_range/history.h"
#include "engine/models.h"
#include "engine/threads.h"
#include "formats/container/reader.h"
#include "lmzip/error.h"

namespace lmzip::engine {
namespace {

// An archive on its way to a sink. Members of equal need share one run; a member that needs more
// memory than was planned for ends the run, and the next one is planned anew.
class decompression final : public ordered_work {
 public:
  decompression(source& in, sink& out, const decompress_options& options)
      : in_(in),
        out_(out),
        options_(options),
        reader_(in_, {.resynchronise = static_cast<bool>(options.on_damage),
                      .model_limit = options.memory_limit}) {}

  totals run(runner run_jobs) {
    while (find_member()) {
      planned_ = need_of(*member_, model_);
      const thread_plan spread = plan_threads(planned_, options_.threads, options_.memory_limit);
      if (slots_.size() < spread.slots) slots_.resize(spread.slots);
      run_jobs(*this, spread.threads, spread.slots);
    }
    if (done_.members == 0 && first_damage_)
      throw error(first_damage_->code, first_damage_->text, first_damage_->offset);
    report_first_damage();
    done_.coded_bytes = in_.bytes();
    return done_;
  }

  bool read(std::size_t slot) override {
    check_stop();
    if (auto* done = std::get_if<container::block>(&slots_[slot].content))
      reader_.reuse(std::move(done->payload));
    for (;;) {
      if (!pending_) pending_ = reader_.next();
      if (std::holds_alternative<container::end_of_archive>(*pending_)) return false;
      if (auto* begin = std::get_if<container::member_begin>(&*pending_)) {
        const model_handle model = find_model(*begin, options_.find_model);
        const memory_need need = need_of(*begin, model);
        if (need.per_thread > planned_.per_thread || need.per_slot > planned_.per_slot ||
            need.fixed > planned_.fixed)
          return false;
        enter(std::move(*begin), model);
      } else if (auto* block = std::get_if<container::block>(&*pending_)) {
        slots_[slot].content = std::move(*block);
        slots_[slot].member = member_;
        slots_[slot].model = model_;
        slots_[slot].archive_bytes = in_.bytes();
        pending_.reset();
        return true;
      } else if (auto* damage = std::get_if<container::damage>(&*pending_)) {
        limit_loss(*damage);
        slots_[slot].content = std::move(*damage);
        slots_[slot].member = member_;
        pending_.reset();
        return true;
      }
      pending_.reset();
    }
  }

  void work(std::size_t slot) override {
    check_stop();
    job& j = slots_[slot];
    auto* block = std::get_if<container::block>(&j.content);
    if (block == nullptr) return;
    try {
      j.decoded = decode_block(*block, *j.member, {j.model, options_.base}, options_.memory_limit,
                               j.buffer);
    } catch (const error& cause) {
      take_for_lost(j, cause);
    }
  }

  void write(std::size_t slot) override {
    check_stop();
    job& j = slots_[slot];
    enter_history(j.member);
    if (const auto* block = std::get_if<container::block>(&j.content)) complete(j, *block);
    if (const auto* lost = std::get_if<container::damage>(&j.content)) {
      write_loss(*lost);
      return;
    }
    report_first_damage();
    const auto* block = std::get_if<container::block>(&j.content);
    if (block != nullptr && block->header.in_stream()) {
      if (past_) past_->append(j.decoded.plain);
      write_plain(j.decoded.plain);
    }
    ++done_.blocks;
    if (options_.on_progress) options_.on_progress({done_.plain_bytes, j.archive_bytes});
  }

 private:
  struct job {
    std::variant<container::block, container::damage> content;
    std::shared_ptr<const container::member_begin> member;
    model_handle model;
    std::uint64_t archive_bytes = 0;  // read when the job was read
    byte_buffer buffer;
    decoded_block decoded;
  };

  // Of a handler: goes on where damage is not the end.
  void take_for_lost(job& j, const error& cause) const {
    if (!options_.on_damage || cause.code() == errc::memory_limit) throw;
    const container::block_header& header = std::get<container::block>(j.content).header;
    j.content = container::damage{cause.code(), cause.what(), cause.offset(), 0,
                                  header.in_stream() ? header.plain_bytes : 0};
  }

  void complete(job& j, const container::block& block) const {
    try {
      complete_block(block, j.decoded, [&](std::uint64_t offset, std::span<std::byte> out) {
        if (!past_ || past_->end() != block.header.plain_offset)
          throw error(errc::damaged,
                      container::corrupt_block_text(block.number, block.offset) +
                          ": what it refers to is lost",
                      block.offset);
        past_->copy(offset, out);
      });
    } catch (const error& cause) {
      take_for_lost(j, cause);
    }
  }

  void enter_history(const std::shared_ptr<const container::member_begin>& member) {
    if (member == written_) return;
    written_ = member;
    past_.reset();
    if (!member->header_lost && member->header.window != 0) past_.emplace(member->header.window);
  }

  void check_stop() const {
    if (options_.stop.stop_requested()) throw error(errc::canceled, "canceled");
  }

  memory_need need_of(const container::member_begin& member, const model_handle& model) const {
    memory_need need = decoding_need(member, model);
    need.fixed += memory_of(options_.base);
    return need;
  }

  void enter(container::member_begin begin, model_handle model) {
    if (begin.header.tree && !options_.trees)
      throw error(errc::usage, "holds a tree: use lmzip extract", begin.offset);
    if (!options_.on_damage) check_base(begin, options_.base);
    begin.model_file.reset();
    member_ = std::make_shared<const container::member_begin>(std::move(begin));
    model_ = std::move(model);
    ++done_.members;
  }

  // Reads up to the next member, passing over nothing but the end of the one before.
  bool find_member() {
    for (;;) {
      check_stop();
      if (!pending_) pending_ = reader_.next();
      if (std::holds_alternative<container::end_of_archive>(*pending_)) return false;
      if (auto* begin = std::get_if<container::member_begin>(&*pending_)) {
        model_handle model = find_model(*begin, options_.find_model);
        enter(std::move(*begin), std::move(model));
        pending_.reset();
        return true;
      }
      if (auto* lost = std::get_if<container::damage>(&*pending_)) {
        limit_loss(*lost);
        write_loss(*lost);
      }
      pending_.reset();
    }
  }

  // Headers with a right checksum but senseless positions must not make the output endless: the
  // lost bytes stood in blocks, and a block takes room in the archive.
  void limit_loss(container::damage& lost) const {
    const std::uint64_t block_bytes =
        member_ ? member_->header.block_bytes : container::max_block_size;
    const std::uint64_t blocks =
        (in_.bytes() - std::min(lost.offset, in_.bytes())) / container::block_header_bytes + 1;
    if (lost.plain_bytes / block_bytes > blocks) lost.plain_bytes = 0;
  }

  void write_loss(const container::damage& lost) {
    // That the input is no archive at all is known at its end only.
    damage report{lost.code, lost.text, lost.offset, done_.plain_bytes, lost.plain_bytes};
    if (done_.blocks == 0 && !first_damage_ && lost.plain_bytes == 0) {
      first_damage_ = std::move(report);
      return;
    }
    report_first_damage();
    options_.on_damage(report);
    if (past_) past_->append_lost(lost.plain_bytes);
    static constexpr std::array<std::byte, 65536> zeros{};
    for (std::uint64_t left = lost.plain_bytes; left > 0;) {
      check_stop();
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, zeros.size()));
      write_plain(std::span(zeros).first(count));
      left -= count;
    }
  }

  void report_first_damage() {
    if (!first_damage_) return;
    options_.on_damage(*first_damage_);
    first_damage_.reset();
  }

  void write_plain(std::span<const std::byte> plain) {
    if (options_.output_limit != 0 && plain.size() > options_.output_limit - done_.plain_bytes)
      throw error(errc::memory_limit, "decodes to more than the limit of " +
                                          std::to_string(options_.output_limit) + " bytes");
    out_.write(plain);
    done_.plain_bytes += plain.size();
  }

  counting_source in_;
  sink& out_;
  const decompress_options& options_;
  container::stream_reader reader_;
  std::optional<container::event> pending_;
  std::shared_ptr<const container::member_begin> member_;
  model_handle model_;
  memory_need planned_;  // what the present run was planned for
  std::vector<job> slots_;
  std::shared_ptr<const container::member_begin> written_;  // whose blocks are being written
  std::optional<history> past_;                             // of it, if it has a window
  std::optional<damage> first_damage_;
  totals done_;
};

}  // namespace

totals decompress(source& in, sink& out, const decompress_options& options, runner run) {
  return decompression(in, out, options).run(run);
}

std::vector<std::byte> decompress(std::span<const std::byte> archive,
                                  const decompress_options& options, runner run) {
  span_source in(archive);
  vector_sink out;
  decompress(in, out, options, run);
  return std::move(out.bytes);
}

}  // namespace lmzip::engine
