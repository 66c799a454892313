#include "bench/copies.h"

#include <algorithm>
#include <bit>

namespace lmzip::bench {
namespace {

constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;

/// Polynomial hash of a window, which moves by one byte.
class window_hash {
 public:
  explicit window_hash(std::size_t window) {
    for (std::size_t i = 0; i < window; ++i) leaving_ *= factor;
  }
  void start(std::span<const std::byte> bytes) {
    value_ = 0;
    for (const std::byte b : bytes) push(b);
  }
  void move(std::byte out, std::byte in) {
    push(in);
    value_ -= leaving_ * (std::to_integer<std::uint64_t>(out) + 1);
  }
  std::uint64_t value() const { return (value_ ^ value_ >> 32) * 0xd6e8feb86659fd93; }

 private:
  void push(std::byte b) { value_ = value_ * factor + std::to_integer<std::uint64_t>(b) + 1; }
  std::uint64_t leaving_ = 1, value_ = 0;
};

void put_number(std::vector<std::byte>& out, std::uint64_t number) {
  for (; number >= 128; number >>= 7) out.push_back(static_cast<std::byte>(number | 128));
  out.push_back(static_cast<std::byte>(number));
}

}  // namespace

copy_finder::copy_finder(std::span<const std::byte> earlier, std::size_t min_bytes)
    : earlier_(earlier),
      min_bytes_(min_bytes),
      window_(min_bytes / 2),
      stride_(min_bytes - window_ + 1),
      table_bits_(std::bit_width(earlier.size() / stride_) + 1),
      places_(std::size_t{1} << table_bits_) {
  window_hash hash(window_);
  for (std::size_t at = 0; at + window_ <= earlier.size(); at += stride_) {
    hash.start(earlier.subspan(at, window_));
    places_[hash.value() >> (64 - table_bits_)] = static_cast<std::uint32_t>(at / stride_ + 1);
  }
}

/// The longest equal stretch through fresh[from_at] and earlier[from] that begins at `at` or later.
copy copy_finder::extend(std::span<const std::byte> fresh, std::size_t at, std::size_t from,
                         std::size_t from_at) const {
  std::size_t back = 0, length = 0;
  while (from_at + length < fresh.size() && from + length < earlier_.size() &&
         fresh[from_at + length] == earlier_[from + length])
    ++length;
  if (length == 0) return {};
  while (from_at - back > at && from > back &&
         fresh[from_at - back - 1] == earlier_[from - back - 1])
    ++back;
  return {from_at - back, from - back, length + back};
}

std::vector<copy> copy_finder::find(std::span<const std::byte> fresh) const {
  std::vector<copy> copies;
  if (fresh.size() < window_ || earlier_.size() < window_) return copies;
  window_hash hash(window_);
  hash.start(fresh.first(window_));
  std::size_t free_from = 0;  // end of the last copy
  for (std::size_t i = 0;;) {
    copy best;
    if (!copies.empty()) {
      const std::size_t going_on = copies.back().from + (i - copies.back().at);
      if (going_on < earlier_.size()) best = extend(fresh, free_from, going_on, i);
    }
    const std::uint32_t place = places_[hash.value() >> (64 - table_bits_)];
    if (place != 0) {
      const copy other = extend(fresh, free_from, (place - 1) * stride_, i);
      if (other.bytes > best.bytes + 8) best = other;
    }
    // Going on where the last copy stopped costs little.
    if (best.bytes >= min_bytes_) {
      copies.push_back(best);
      free_from = i = best.at + best.bytes;
      if (i + window_ > fresh.size()) break;
      hash.start(fresh.subspan(i, window_));
      continue;
    }
    if (i + window_ >= fresh.size()) break;
    hash.move(fresh[i], fresh[i + window_]);
    ++i;
  }
  return copies;
}

std::vector<std::byte> literals_of(std::span<const std::byte> fresh,
                                   const std::vector<copy>& copies) {
  std::vector<std::byte> literals;
  std::size_t done = 0;
  for (const copy& c : copies) {
    const auto gap = fresh.subspan(done, c.at - done);
    literals.insert(literals.end(), gap.begin(), gap.end());
    done = c.at + c.bytes;
  }
  const auto rest = fresh.subspan(done);
  literals.insert(literals.end(), rest.begin(), rest.end());
  return literals;
}

std::vector<std::byte> write_copies(const std::vector<copy>& copies, std::size_t min_bytes) {
  std::vector<std::byte> out;
  copy last;
  for (const copy& c : copies) {
    const std::size_t gap = c.at - (last.at + last.bytes);
    const auto off = static_cast<std::int64_t>(c.from - (last.from + last.bytes + gap));
    put_number(out, gap);
    put_number(out, c.bytes - min_bytes);
    put_number(out, static_cast<std::uint64_t>(off) << 1 ^ static_cast<std::uint64_t>(off >> 63));
    last = c;
  }
  return out;
}

}  // namespace lmzip::bench
