#include "archive/tree/data_sink.h"

#include <algorithm>

#include "core/io/signals.h"
#include "lmzip/error.h"

namespace lmzip::tree {
namespace {

[[noreturn]] void fail() {
  throw error(errc::damaged, "content has another size than its entry says");
}

}  // namespace

data_sink::data_sink(io::file& to, const entry& of)
    : to_(to), of_(of), ranges_(of.has_holes ? of.data.size() : (of.bytes > 0 ? 1 : 0)) {}

data_range data_sink::range(std::size_t number) const {
  return of_.has_holes ? of_.data[number] : data_range{0, of_.bytes};
}

void data_sink::write(std::span<const std::byte> data) {
  io::throw_if_interrupted();
  while (!data.empty()) {
    if (range_ == ranges_) fail();
    const data_range now = range(range_);
    const std::uint64_t begin = now.offset + done_;
    const auto piece = data.first(
        static_cast<std::size_t>(std::min<std::uint64_t>(data.size(), now.bytes - done_)));
    if (begin != position_) to_.skip(begin - position_);
    to_.write(piece);
    position_ = begin + piece.size();
    data = data.subspan(piece.size());
    done_ += piece.size();
    if (done_ < now.bytes) continue;
    ++range_;
    done_ = 0;
  }
}

void data_sink::finish() {
  if (range_ != ranges_) fail();
  if (position_ != of_.bytes) to_.set_length(of_.bytes);
}

}  // namespace lmzip::tree
