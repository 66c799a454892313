#include "archive/tree/file_content.h"

#include <algorithm>

#include "core/io/signals.h"

namespace lmzip::tree {

file_content::file_content(io::file& from, const entry& of) : from_(from), ranges_(of.data) {
  if (!of.has_holes && of.bytes > 0) ranges_ = {{0, of.bytes}};
  constexpr std::uint64_t worth_a_call = 1 << 20;
  if (of.bytes >= worth_a_call) from_.expect_sequential_reading();
}

std::size_t file_content::read_at(std::uint64_t offset, std::span<std::byte> out) {
  io::throw_if_interrupted();
  try {
    return from_.read_at(offset, out);
  } catch (const io::file_error& cause) {
    failure_ = cause.what();
    return 0;
  }
}

std::size_t file_content::read(std::span<std::byte> out) {
  if (out.empty() || ended_ || range_ == ranges_.size()) return 0;
  const data_range& range = ranges_[range_];
  const auto wanted =
      static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), range.bytes - done_));
  const std::size_t count = read_at(range.offset + done_, out.first(wanted));
  ended_ = count == 0;
  done_ += count;
  if (done_ == range.bytes) {
    ++range_;
    done_ = 0;
  }
  return count;
}

file_content::outcome file_content::finish(entry& of) {
  if (!failure_.empty()) return outcome::failed;
  const bool is_short = range_ < ranges_.size();
  if (is_short) {
    of.bytes = ranges_[range_].offset + done_;
    if (of.has_holes) {
      of.data.resize(range_ + 1);
      of.data.back().bytes = done_;
      if (done_ == 0) of.data.pop_back();
      of.has_holes = data_bytes(of) < of.bytes;
      if (!of.has_holes) of.data.clear();
    }
  }
  try {
    const io::file_status now = from_.status();
    const bool is_same = now.bytes == of.bytes && now.modified == of.modified;
    return is_same && !is_short ? outcome::as_listed : outcome::changed;
  } catch (const io::file_error&) {
    return outcome::changed;
  }
}

}  // namespace lmzip::tree
