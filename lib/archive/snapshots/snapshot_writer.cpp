#include "archive/snapshots/snapshot_writer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "archive/snapshots/chunk_store.h"
#include "archive/snapshots/snapshot_archive.h"
#include "archive/snapshots/tree_reader.h"
#include "archive/snapshots/tree_recorder.h"
#include "codec/codec_data.h"
#include "codec/model_file.h"
#include "codec/zstd/zstd_codec.h"
#include "core/io/clock.h"
#include "engine/cut_coder.h"
#include "engine/levels.h"
#include "engine/models.h"
#include "engine/number_levels.h"
#include "engine/ordered_work.h"
#include "engine/threads.h"
#include "formats/container/writer.h"
#include "lmzip/error.h"

namespace lmzip::archive {
namespace {

/// Writes a member to the end of a file, and syncs all before the trailer.
class member_sink final : public sink {
 public:
  explicit member_sink(io::file& to) : to_(to) {}

  void write(std::span<const std::byte> data) override {
    const bool is_trailer =
        data.size() == container::trailer_bytes && container::find_trailer(data).has_value();
    if (is_trailer) {
      to_.sync();
      id = sha256_of(data);
    }
    to_.write(data);
  }

  hash256 id{};

 private:
  io::file& to_;
};

/// Codes the new chunks, in blocks of one kind of content each.
class chunk_coding final : public engine::ordered_work {
 public:
  chunk_coding(chunk_store& from, const engine::level_plan& plan, container::member_writer& to,
               std::size_t slots)
      : from_(from), block_bytes_(plan.block_bytes), coder_(plan, false, nullptr), to_(to),
        slots_(slots) {}

  bool read(std::size_t slot) override {
    engine::uncoded_cut& cut = slots_[slot].from;
    cut.size = 0;
    while (run_ < from_.runs().size()) {
      const chunk_store::run& run = from_.runs()[run_];
      if (next_ == run.first + run.count) {
        ++run_;
        if (cut.size > 0) return true;
        continue;
      }
      const std::uint32_t bytes = from_.bytes_of(next_);
      if (cut.size > 0 && cut.size + bytes > block_bytes_) return true;
      read_chunk(cut, bytes);
      if (done_ < bytes) return true;  // a chunk that is larger than a block
      done_ = 0;
      ++next_;
    }
    return cut.size > 0;
  }

  void work(std::size_t slot) override {
    slots_[slot].blocks = coder_.code(slots_[slot].from, slots_[slot].scratch);
  }

  void write(std::size_t slot) override {
    for (const container::sealed_block& each : slots_[slot].blocks) to_.append(each);
    slots_[slot].blocks.clear();
  }

 private:
  struct job {
    engine::uncoded_cut from;
    engine::cut_scratch scratch;
    std::vector<container::sealed_block> blocks;
  };

  void read_chunk(engine::uncoded_cut& cut, std::uint32_t bytes) {
    if (chunk_.size() != bytes || done_ == 0) {
      chunk_.resize(bytes);
      from_.read(next_, chunk_);
    }
    const auto room = static_cast<std::size_t>(block_bytes_ - cut.size);
    const std::size_t count = std::min<std::size_t>(room, bytes - done_);
    cut.buffer.grow(std::max(cut.buffer.capacity(),
                             std::min<std::size_t>(static_cast<std::size_t>(block_bytes_),
                                                   2 * (cut.size + count))));
    std::copy_n(chunk_.begin() + static_cast<std::ptrdiff_t>(done_), count,
                cut.buffer.first(cut.size + count).begin() +
                    static_cast<std::ptrdiff_t>(cut.size));
    cut.size += count;
    done_ += static_cast<std::uint32_t>(count);
  }

  chunk_store& from_;
  std::uint64_t block_bytes_;
  engine::cut_coder coder_;
  container::member_writer& to_;
  std::vector<job> slots_;
  std::vector<std::byte> chunk_;
  std::size_t run_ = 0;
  std::size_t next_ = 0;    ///< placed chunk
  std::uint32_t done_ = 0;  ///< bytes of it
};

engine::level_plan plan_of(const snapshot_options& options) {
  engine::level_plan plan = engine::plan_level(options.level);
  if (options.block_bytes != 0) plan.block_bytes = options.block_bytes;
  if (plan.block_bytes < container::min_block_size || plan.block_bytes > container::max_block_size)
    throw error(errc::usage, "no block size " + std::to_string(plan.block_bytes));
  plan.window = 0;  // repeats are known as chunks
  return plan;
}

void append_root(container::member_writer& to, const root_record& root,
                 std::uint64_t block_bytes) {
  constexpr int level = 9;
  const auto zstd = codec::make_zstd_encoder(level);
  const auto bytes = write_root(root);
  std::span<const std::byte> rest(bytes);
  while (!rest.empty()) {
    const auto part =
        rest.first(static_cast<std::size_t>(std::min<std::uint64_t>(rest.size(), block_bytes)));
    rest = rest.subspan(part.size());
    codec::encoded coded = zstd->encode(part);
    if (coded.coded.size() >= part.size()) coded = {{}, {part.begin(), part.end()}};
    container::block_header header;
    header.type = container::block_type::metadata;
    header.codec = static_cast<std::uint8_t>(coded.how.codec);
    header.codec_version = coded.how.version;
    header.parameters = coded.how.parameters;
    header.plain_bytes = static_cast<std::uint32_t>(part.size());
    header.plain_hash = xxh3_64(part);
    to.append(header, coded.coded);
  }
}

/// Numbers the members that an archive has for the next snapshot: those of the last one first.
std::vector<hash256> members_for_next(const std::vector<snapshot>& earlier) {
  std::vector<hash256> members;
  if (earlier.empty()) return members;
  members = earlier.back().root.members;
  members.push_back(earlier.back().id);
  for (const snapshot& each : earlier)
    if (std::find(members.begin(), members.end(), each.id) == members.end())
      members.push_back(each.id);
  return members;
}

void index_chunks(chunk_index& index, const std::vector<snapshot>& earlier,
                  const std::vector<hash256>& members) {
  for (const snapshot& each : earlier) {
    const auto at = std::find(members.begin(), members.end(), each.id);
    chunk_place place;
    place.member = static_cast<std::uint32_t>(at - members.begin());
    for (const chunk_entry& chunk : each.root.chunks) {
      place.bytes = chunk.bytes;
      index.insert(chunk.hash, place);
      place.offset += chunk.bytes;
    }
  }
}

class snapshot_run {
 public:
  /// `earlier` is nullptr for a new archive.
  snapshot_run(const std::string& path, io::file& to, snapshot_archive* earlier,
               const snapshot_options& options, const problem_reporter& report)
      : path_(path), to_(to), earlier_(earlier), options_(options), report_(report) {}

  snapshot_report run(std::span<const std::string> paths) {
    const engine::level_plan plan = plan_of(options_);
    root_.start = io::file_clock();
    root_.tag = options_.tag;
    root_.host = options_.host;
    static const std::vector<snapshot> none;
    const auto& before = earlier_ == nullptr ? none : earlier_->snapshots();
    root_.members = members_for_next(before);
    chunk_index index;
    index_chunks(index, before, root_.members);
    chunk_store store(index, static_cast<std::uint32_t>(root_.members.size()), path_);
    walk(store, before, paths);
    write(store, plan);
    done_.counts = root_.counts;
    return done_;
  }

 private:
  void walk(chunk_store& store, const std::vector<snapshot>& before,
            std::span<const std::string> paths) {
    std::optional<tree_reader> previous;
    io::file_time start;
    if (!before.empty() && !options_.read_all) {
      previous.emplace(*earlier_, before.back());
      start = before.back().root.start;
    }
    tree_recorder recorder(
        store, [&] { return previous ? previous->next() : std::optional<tree::entry>(); }, start,
        done_, report_);
    tree::walk_options walk = options_.walk;
    walk.left_out.push_back(to_.status());
    tree::walk(paths, walk, recorder);
    recorder.finish(root_);
  }

  void write(chunk_store& store, const engine::level_plan& plan) {
    container::member_header header;
    header.tree = true;
    header.block_bytes = static_cast<std::uint32_t>(plan.block_bytes);
    header.memory = std::max(engine::decoding_memory(plan.ways, plan.block_bytes),
                             engine::memory_to_decode_numbers(plan, plan.block_bytes));
    if (plan.needs_codec_data) header.codec_data = codec::codec_data_id();
    if (plan.ways.model != nullptr) header.model = plan.ways.model->id;
    member_sink out(to_);
    container::member_writer writer(out, header);
    const engine::memory_need need{
        .per_thread = engine::routing_memory(plan.ways, plan.block_bytes),
        .per_slot = 2 * plan.block_bytes,
        .fixed = (std::uint64_t{1} << 20) + engine::memory_of(plan.ways.model)};
    const auto spread = engine::plan_threads(need, options_.threads, options_.memory_limit);
    chunk_coding coding(store, plan, writer, spread.slots);
    engine::run_parallel(coding, spread.threads, spread.slots);
    append_root(writer, root_, plan.block_bytes);
    done_.coded_bytes = writer.finish().member_bytes;
    to_.sync();
    done_.id = out.id;
  }

  const std::string& path_;
  io::file& to_;
  snapshot_archive* earlier_;
  const snapshot_options& options_;
  const problem_reporter& report_;
  root_record root_;
  snapshot_report done_;
};

}  // namespace

snapshot_report create_snapshots(const std::string& archive, std::span<const std::string> paths,
                                 const snapshot_options& options, const problem_reporter& report) {
  io::file to = io::file::create(archive);
  try {
    const snapshot_report done = snapshot_run(archive, to, nullptr, options, report).run(paths);
    to.close();
    io::sync_directory_of(archive);
    return done;
  } catch (...) {
    io::remove_file(archive);
    throw;
  }
}

snapshot_report add_snapshot(const std::string& archive, std::span<const std::string> paths,
                             const snapshot_options& options, const problem_reporter& report) {
  snapshot_archive earlier(archive);
  if (earlier.is_torn() && !earlier.has_torn_member())
    throw error(errc::damaged, "trailing data is not in lmzip format", earlier.end_offset());
  io::file to = io::file::open_for_writing(archive);
  const std::uint64_t end = earlier.end_offset();
  const std::uint64_t cut = to.status().bytes - end;
  to.set_length(end);
  to.skip(end);
  try {
    snapshot_report done = snapshot_run(archive, to, &earlier, options, report).run(paths);
    to.close();
    done.cut_bytes = cut;
    return done;
  } catch (...) {
    to.set_length(end);
    throw;
  }
}

}  // namespace lmzip::archive
