#include "archive/snapshots/snapshot_archive.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "engine/block_decoder.h"
#include "formats/container/format.h"
#include "lmzip/error.h"
#include "lmzip/seekable_source.h"

namespace lmzip::archive {

/// The file up to the end of its last whole member.
class snapshot_archive::bounded_file final : public seekable_source {
 public:
  bounded_file(io::file& from, std::uint64_t bytes) : from_(from), bytes_(bytes) {}

  std::uint64_t size() override { return bytes_; }

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    if (offset >= bytes_) return 0;
    const auto count = std::min<std::uint64_t>(out.size(), bytes_ - offset);
    return from_.read_at(offset, out.first(static_cast<std::size_t>(count)));
  }

 private:
  io::file& from_;
  std::uint64_t bytes_;
};

snapshot_archive::snapshot_archive(const std::string& path, const archive_reader_options& options)
    : file_(io::file::open_for_reading(path, true)) {
  const io::file_status status = file_.status();
  if (status.kind != io::file_kind::regular)
    throw io::file_error::with_text(path, "is not a regular file");
  read_at_ = [this](std::uint64_t offset, std::span<std::byte> out) {
    return file_.read_at(offset, out);
  };
  members_ = container::find_members(read_at_, status.bytes);
  if (!members_.gaps.empty())
    throw error(errc::damaged,
                "no intact member at offset " + std::to_string(members_.gaps.front().offset),
                members_.gaps.front().offset);
  source_ = std::make_unique<bounded_file>(file_, members_.end_offset);
  reader_ = std::make_unique<archive_reader>(*source_, options);
  read_snapshots();
}

snapshot_archive::~snapshot_archive() = default;

bool snapshot_archive::has_torn_member() const {
  std::array<std::byte, container::magic.size()> bytes{};
  const std::size_t count = read_at_(members_.end_offset, bytes);
  return count > 0 && std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count),
                                 container::magic.begin());
}

void snapshot_archive::read_snapshots() {
  std::map<hash256, snapshot::place> known;
  const auto begins = reader_->member_offsets();
  for (std::size_t i = 0; i < members_.members.size(); ++i) {
    const container::member_location& member = members_.members[i];
    snapshot found;
    found.member = i;
    found.id = sha256_of(container::serialize(member.end));
    found.coded_bytes = member.end.member_bytes;
    const snapshot::place own{begins[i], member.end.plain_bytes};
    known[found.id] = own;
    if (!member.header.tree) continue;
    found.root = read_root_of(member);
    for (const hash256& each : found.root.members) {
      const auto at = known.find(each);
      if (at == known.end())
        throw error(errc::damaged, "a snapshot refers to a member that is not before it",
                    member.offset);
      found.sources.push_back(at->second);
    }
    found.sources.push_back(own);
    snapshots_.push_back(std::move(found));
  }
}

root_record snapshot_archive::read_root_of(const container::member_location& member) const {
  const auto blocks = container::read_index(read_at_, member);
  auto first = blocks.size();
  while (first > 0 && blocks[first - 1].sizes.plain_bytes == 0) --first;
  std::vector<std::byte> bytes;
  const container::member_begin begin{member.header, member.offset, false};
  engine::byte_buffer memory;
  for (; first < blocks.size(); ++first) {
    const auto coded =
        container::read_any_block(read_at_, member.header, blocks[first], first + 1);
    if (coded.header.type != container::block_type::metadata) continue;
    const auto decoded = engine::decode_block(coded, begin, {}, 0, memory);
    bytes.insert(bytes.end(), decoded.plain.begin(), decoded.plain.end());
  }
  return read_root(bytes, member.end.plain_bytes);
}

void snapshot_archive::read(const snapshot& of, const tree::content_extent& extent,
                            std::uint64_t skipped, std::span<std::byte> out) {
  const bool exists = extent.source < of.sources.size();
  const std::uint64_t size = exists ? of.sources[extent.source].bytes : 0;
  if (extent.offset > size || extent.bytes > size - extent.offset || skipped > extent.bytes ||
      out.size() > extent.bytes - skipped)
    throw error(errc::damaged, "a snapshot refers to bytes that its members do not have");
  const std::uint64_t begin = of.sources[extent.source].begin + extent.offset + skipped;
  if (reader_->read(begin, out) != out.size())
    throw error(errc::truncated, "truncated while it was read");
}

void snapshot_archive::write_content(const snapshot& of, const tree::content_extent& extent,
                                     sink& to) {
  constexpr std::uint64_t step = std::uint64_t{1} << 18;
  std::vector<std::byte> buffer;
  for (std::uint64_t done = 0; done < extent.bytes; done += buffer.size()) {
    buffer.resize(static_cast<std::size_t>(std::min(step, extent.bytes - done)));
    read(of, extent, done, buffer);
    to.write(buffer);
  }
}

void snapshot_archive::write_content(const snapshot& of, const tree::entry& file, sink& to) {
  for (const tree::content_extent& each : file.content) write_content(of, each, to);
}

}  // namespace lmzip::archive
