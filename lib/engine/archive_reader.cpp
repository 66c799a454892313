#include "lmzip/archive_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>

#include "engine/block_cache.h"
#include "engine/block_decoder.h"
#include "engine/models.h"
#include "engine/seekable_file.h"
#include "engine/threads.h"
#include "formats/container/members.h"
#include "formats/container/reader.h"

namespace lmzip {
namespace {

bool has_magic(const container::read_at_function& read_at, std::uint64_t offset) {
  std::array<std::byte, container::magic.size()> bytes{};
  return read_at(offset, bytes) == bytes.size() && bytes == container::magic;
}

/// The members of an archive of which no part is lost.
std::vector<container::member_location> members_of(const container::read_at_function& read_at,
                                                   std::uint64_t size) {
  const auto end_is_lost = [&] {
    return error(errc::truncated, "truncated: the end with the index is lost", size);
  };
  container::member_list found;
  try {
    found = container::find_members(read_at, size);
  } catch (const error& cause) {
    if (cause.code() == errc::not_lmzip && has_magic(read_at, 0)) throw end_is_lost();
    throw;
  }
  if (!found.gaps.empty()) {
    const std::uint64_t offset = found.gaps.front().offset;
    throw error(errc::damaged, "no intact member at offset " + std::to_string(offset), offset);
  }
  if (found.torn) {
    if (has_magic(read_at, found.end_offset)) throw end_is_lost();
    throw error(
        errc::damaged,
        "trailing data is not in lmzip format at offset " + std::to_string(found.end_offset),
        found.end_offset);
  }
  return std::move(found.members);
}

}  // namespace

class archive_reader::state {
 public:
  state(seekable_source& from, const archive_reader_options& options)
      : cache_(options.cache_bytes),
        memory_limit_(options.memory_limit),
        find_model_(options.find_model),
        base_(options.base) {
    read_at_ = [&from](std::uint64_t offset, std::span<std::byte> out) {
      const std::size_t count = from.read_at(offset, out);
      if (count > out.size()) throw error(errc::internal, "a source returned more than was asked");
      return count;
    };
    for (container::member_location& member : members_of(read_at_, from.size())) add(member);
  }

  state(std::unique_ptr<seekable_source> from, const archive_reader_options& options)
      : state(*from, options) {
    owned_ = std::move(from);
  }

  std::uint64_t size() const noexcept { return size_; }
  unsigned base_depth() const noexcept { return base_depth_; }

  std::uint64_t memory() const noexcept {
    return decoding_ + blocks_.size() * sizeof(entry) + members_.size() * sizeof(member);
  }

  std::vector<std::uint64_t> member_offsets() const {
    std::vector<std::uint64_t> offsets;
    for (const member& each : members_) offsets.push_back(each.plain_begin);
    return offsets;
  }

  std::uint64_t coded_size(std::uint64_t offset, std::uint64_t bytes) const noexcept {
    const std::uint64_t begin = std::min(offset, size_),
                        end = begin + std::min(bytes, size_ - begin);
    std::uint64_t sum = 0;
    if (begin == end) return sum;
    for (std::size_t i = block_at(begin); i < blocks_.size() && blocks_[i].plain_begin < end; ++i) {
      const entry& each = blocks_[i];
      const std::uint64_t first = std::max(begin, each.plain_begin),
                          last = std::min(end, each.plain_begin + each.sizes.plain_bytes);
      sum += (last - first) * each.sizes.coded_bytes / each.sizes.plain_bytes;
    }
    return sum;
  }

  std::size_t read(std::uint64_t offset, std::span<std::byte> out) {
    const std::lock_guard lock(mutex_);
    return copy(offset, out, true);
  }

 private:
  struct member {
    container::member_begin begin;
    model_handle model;
    std::uint64_t plain_begin = 0;
  };

  struct entry {
    std::uint64_t plain_begin = 0;  // in the archive
    std::uint64_t offset = 0;       // of the block header
    container::index_entry sizes;
    std::uint32_t member = 0;
    std::uint32_t number = 0;  // from 1 within the member; 0: past what can be counted
  };

  void add(container::member_location& found) {
    container::member_begin begin{std::move(found.header), found.offset, false};
    const auto places = container::read_index(read_at_, found);
    if (begin.header.model_bytes != 0) begin.model_file = read_model(begin.header, places);
    const model_handle model = engine::find_model(begin, find_model_);
    const engine::memory_need need = engine::decoding_need(begin, model);
    engine::plan_threads(need, 1, memory_limit_);
    decoding_ = std::max(decoding_, engine::memory_of(need, 1));
    base_depth_ = std::max<unsigned>(base_depth_, begin.header.base_depth);
    begin.model_file.reset();
    std::uint64_t number = 0;
    for (const container::block_location& place : places) {
      ++number;
      if (place.sizes.plain_bytes == 0) continue;  // no part of the plain bytes
      const bool countable = number <= std::numeric_limits<std::uint32_t>::max();
      blocks_.push_back({size_ + place.plain_offset, place.offset, place.sizes,
                         static_cast<std::uint32_t>(members_.size()),
                         countable ? static_cast<std::uint32_t>(number) : 0});
    }
    members_.push_back({begin, model, size_});
    size_ += found.end.plain_bytes;
  }

  std::shared_ptr<const std::vector<std::byte>> read_model(
      const container::member_header& header,
      const std::vector<container::block_location>& places) const {
    container::check_model_size(header, memory_limit_);
    return std::make_shared<const std::vector<std::byte>>(
        container::read_model(read_at_, header, places));
  }

  /// The block that holds the plain byte `position`, which is less than size_.
  std::size_t block_at(std::uint64_t position) const {
    const auto after = std::upper_bound(
        blocks_.begin(), blocks_.end(), position,
        [](std::uint64_t wanted, const entry& each) { return wanted < each.plain_begin; });
    return static_cast<std::size_t>(after - blocks_.begin()) - 1;
  }

  // Blocks are kept whole, or without their repeats where those were not needed.
  static std::uint64_t key_of(std::size_t index, bool whole) noexcept {
    return 2 * std::uint64_t{index} + (whole ? 0 : 1);
  }

  /// The plain bytes of a block; `whole` with its repeats, which for sources of others need not be.
  std::span<const std::byte> block(std::size_t index, bool whole = true) {
    if (const auto kept = cache_.find(key_of(index, true))) return *kept;
    if (!whole)
      if (const auto kept = cache_.find(key_of(index, false))) return *kept;
    const entry& place = blocks_[index];
    const member& home = members_[place.member];
    container::block coded =
        container::read_block(read_at_, home.begin.header,
                              {place.offset, place.plain_begin - home.plain_begin, place.sizes},
                              place.number, std::move(payload_));
    engine::byte_buffer memory = cache_.take_buffer();
    auto decoded =
        engine::decode_block(coded, home.begin, {home.model, base_}, memory_limit_, memory);
    payload_ = std::move(coded.payload);
    if (whole) complete(coded, decoded, home.plain_begin);
    cache_.insert(key_of(index, whole || decoded.repeats.empty()), std::move(memory),
                  decoded.plain);
    return decoded.plain;
  }

  void complete(const container::block& coded, engine::decoded_block& decoded,
                std::uint64_t member_begin) {
    // In the order of their sources, each block of which is decoded once.
    std::sort(decoded.repeats.begin(), decoded.repeats.end(), [](const auto& a, const auto& b) {
      return a.position + b.distance < b.position + a.distance;
    });
    engine::complete_block(coded, decoded, [&](std::uint64_t offset, std::span<std::byte> out) {
      copy(member_begin + offset, out, false);
    });
  }

  /// Fills as much of `out` as there is and returns how much.
  std::size_t copy(std::uint64_t offset, std::span<std::byte> out, bool whole) {
    std::size_t filled = 0;
    while (filled < out.size() && offset + filled < size_) {
      const std::size_t index = block_at(offset + filled);
      const auto plain = block(index, whole);
      const auto skipped = static_cast<std::size_t>(offset + filled - blocks_[index].plain_begin);
      const std::size_t count = std::min(out.size() - filled, plain.size() - skipped);
      std::memcpy(out.data() + filled, plain.data() + skipped, count);
      filled += count;
    }
    return filled;
  }

  std::unique_ptr<seekable_source> owned_;
  container::read_at_function read_at_;
  std::vector<member> members_;
  std::vector<entry> blocks_;
  std::uint64_t size_ = 0;
  engine::block_cache cache_;
  std::vector<std::byte> payload_;  // memory for the next one
  std::uint64_t memory_limit_;
  model_finder find_model_;
  base_handle base_;
  std::uint64_t decoding_ = 0;  // bytes that decoding a block takes
  unsigned base_depth_ = 0;
  std::mutex mutex_;  // for cache_, payload_ and the source
};

archive_reader::archive_reader(seekable_source& from, const archive_reader_options& options)
    : state_(std::make_unique<state>(from, options)) {}

archive_reader::archive_reader(const std::string& path, const archive_reader_options& options)
    : state_(std::make_unique<state>(std::make_unique<engine::seekable_file>(path), options)) {}

archive_reader::~archive_reader() = default;
archive_reader::archive_reader(archive_reader&&) noexcept = default;
archive_reader& archive_reader::operator=(archive_reader&&) noexcept = default;

std::uint64_t archive_reader::size() const noexcept { return state_->size(); }

unsigned archive_reader::base_depth() const noexcept { return state_->base_depth(); }

std::uint64_t archive_reader::memory() const noexcept { return state_->memory(); }

std::vector<std::uint64_t> archive_reader::member_offsets() const {
  return state_->member_offsets();
}

std::uint64_t archive_reader::coded_size(std::uint64_t offset, std::uint64_t bytes) const noexcept {
  return state_->coded_size(offset, bytes);
}

std::size_t archive_reader::read(std::uint64_t offset, std::span<std::byte> out) {
  return state_->read(offset, out);
}

std::vector<std::byte> archive_reader::read(std::uint64_t offset, std::size_t length) {
  const std::uint64_t rest = size() - std::min(offset, size());
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(length, rest)));
  state_->read(offset, bytes);
  return bytes;
}

}  // namespace lmzip
