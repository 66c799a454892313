#include "formats/container/input.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/io/memory.h"

namespace lmzip::container {
namespace {

constexpr std::size_t window_bytes = std::size_t{1} << 16;
constexpr std::size_t first_step = std::size_t{1} << 20;
constexpr std::size_t most_reserved = std::size_t{1} << 27;

}  // namespace

std::size_t input::fill(std::span<std::byte> out) {
  const std::size_t count = from_.read(out);
  received_ += count;
  return count;
}

std::span<const std::byte> input::peek(std::size_t count) {
  while (buffered() < count) {
    // The window grows by doubling while bytes arrive, never because a size says so.
    const std::size_t wanted = std::min(count, std::max(window_bytes, 2 * buffered()));
    if (begin_ + wanted > window_.size()) {
      if (begin_ > 0) std::memmove(window_.data(), window_.data() + begin_, buffered());
      end_ -= begin_;
      begin_ = 0;
      if (window_.size() < wanted) window_.resize(std::max(window_bytes, wanted));
    }
    const std::size_t got = fill(std::span(window_).subspan(end_));
    if (got == 0) break;
    end_ += got;
  }
  return std::span(window_).subspan(begin_, std::min(count, buffered()));
}

std::span<const std::byte> input::peek_some() {
  peek(1);
  return std::span(window_).subspan(begin_, buffered());
}

void input::skip(std::size_t count) noexcept {
  const std::size_t taken = std::min(count, buffered());
  begin_ += taken;
  offset_ += taken;
}

std::vector<std::byte> input::take(std::size_t count, std::vector<std::byte> into) {
  std::vector<std::byte> out = std::move(into);
  // Old contents are not cleared: resize() would write zeros over them for nothing.
  if (out.capacity() < std::min(count, most_reserved)) {
    out = {};
    out.reserve(std::min(count, most_reserved));
    io::prefer_huge_pages(out.data(), out.capacity());
  }
  std::size_t filled = std::min(count, buffered());
  if (out.size() < filled) out.resize(filled);
  std::copy_n(window_.begin() + static_cast<std::ptrdiff_t>(begin_), filled, out.begin());
  begin_ += filled;
  while (filled < count) {
    if (out.size() == filled) {
      out.resize(filled + std::min(count - filled, std::max(first_step, filled / 2)));
    }
    const std::size_t room = std::min(count, out.size()) - filled;
    const std::size_t got = fill(std::span(out).subspan(filled, room));
    if (got == 0) break;
    filled += got;
  }
  out.resize(filled);
  offset_ += filled;
  return out;
}

std::uint64_t input::discard(std::uint64_t count) {
  std::uint64_t left = count;
  while (left > 0) {
    const std::size_t ready = peek_some().size();
    if (ready == 0) break;
    const std::size_t step = static_cast<std::size_t>(std::min<std::uint64_t>(left, ready));
    skip(step);
    left -= step;
  }
  return count - left;
}

void input::unread(std::vector<std::byte> bytes) {
  offset_ -= bytes.size();
  bytes.insert(bytes.end(), window_.begin() + static_cast<std::ptrdiff_t>(begin_),
               window_.begin() + static_cast<std::ptrdiff_t>(end_));
  window_ = std::move(bytes);
  begin_ = 0;
  end_ = window_.size();
}

}  // namespace lmzip::container
