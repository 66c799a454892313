#include "engine/long_range/history.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace lmzip::engine {

history::history(std::uint64_t window) : window_(window) {
  // What is kept may begin and end within a piece.
  if (window > 0) pieces_.resize(static_cast<std::size_t>((window - 1) / piece_bytes + 2));
}

std::byte* history::at(std::uint64_t position) const noexcept {
  const auto& piece = pieces_[static_cast<std::size_t>(position / piece_bytes % pieces_.size())];
  return piece.get() + position % piece_bytes;
}

void history::append(std::span<const std::byte> bytes) {
  if (bytes.size() > window_) {
    const std::size_t dropped = bytes.size() - static_cast<std::size_t>(window_);
    end_ += dropped;
    kept_ = 0;
    bytes = bytes.subspan(dropped);
  }
  while (!bytes.empty()) {
    auto& piece = pieces_[static_cast<std::size_t>(end_ / piece_bytes % pieces_.size())];
    if (!piece) piece = std::make_unique_for_overwrite<std::byte[]>(piece_bytes);
    const std::size_t count =
        std::min(bytes.size(), static_cast<std::size_t>(piece_bytes - end_ % piece_bytes));
    std::memcpy(at(end_), bytes.data(), count);
    bytes = bytes.subspan(count);
    end_ += count;
    kept_ = std::min(kept_ + count, window_);
  }
}

void history::append_lost(std::uint64_t count) {
  static constexpr std::array<std::byte, 65536> zeros{};
  if (count > window_) {
    end_ += count - window_;
    kept_ = 0;
    count = window_;
  }
  for (; count > zeros.size(); count -= zeros.size()) append(zeros);
  append(std::span(zeros).first(static_cast<std::size_t>(count)));
}

std::span<const std::byte> history::from(std::uint64_t position,
                                         std::uint64_t most) const noexcept {
  const std::uint64_t in_piece = piece_bytes - position % piece_bytes;
  const std::uint64_t count = std::min({most, end_ - position, in_piece});
  return {at(position), static_cast<std::size_t>(count)};
}

std::span<const std::byte> history::before(std::uint64_t position,
                                           std::uint64_t most) const noexcept {
  const std::uint64_t in_piece = (position - 1) % piece_bytes + 1;
  const std::uint64_t count = std::min({most, position - begin(), in_piece});
  return {at(position - count), static_cast<std::size_t>(count)};
}

void history::copy(std::uint64_t position, std::span<std::byte> out) const noexcept {
  while (!out.empty()) {
    const auto part = from(position, out.size());
    std::memcpy(out.data(), part.data(), part.size());
    out = out.subspan(part.size());
    position += part.size();
  }
}

}  // namespace lmzip::engine
