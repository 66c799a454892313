#include "archive/chunks/copy_finder.h"

#include <bit>

#include "lmzip/error.h"

namespace lmzip::archive {
namespace {

/// Another place than the one where the last copy goes on has to be so much better.
constexpr std::size_t price_of_a_jump = 8;

/// Hash of a window that moves byte by byte: a polynomial modulo 2^64.
class window_hash {
 public:
  explicit window_hash(std::size_t window) noexcept {
    for (std::size_t i = 0; i < window; ++i) leaving_ *= factor;
  }

  void start(std::span<const std::byte> window) noexcept {
    sum_ = 0;
    for (const std::byte value : window) push(value);
  }

  void move(std::byte out, std::byte in) noexcept {
    push(in);
    sum_ -= leaving_ * term(out);
  }

  /// The high bits are good.
  std::uint64_t value() const noexcept { return (sum_ ^ sum_ >> 32) * 0xd6e8feb86659fd93; }

 private:
  static constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;

  static std::uint64_t term(std::byte value) noexcept {
    return std::to_integer<std::uint64_t>(value) + 1;
  }
  void push(std::byte value) noexcept { sum_ = sum_ * factor + term(value); }

  std::uint64_t leaving_ = 1;
  std::uint64_t sum_ = 0;
};

std::size_t window_of(std::uint32_t shortest) noexcept { return shortest / 2; }

/// Any stretch of the shortest length has one of the windows at this stride in it.
std::size_t stride_of(std::uint32_t shortest) noexcept {
  return shortest - window_of(shortest) + 1;
}

/// Twice to four times as many places as windows.
int table_bits_of(std::uint64_t base_bytes, std::uint32_t shortest) noexcept {
  return static_cast<int>(std::bit_width(base_bytes / stride_of(shortest))) + 1;
}

}  // namespace

copy_finder::copy_finder(std::span<const std::byte> base, std::uint32_t shortest)
    : base_(base),
      shortest_(shortest),
      window_(window_of(shortest)),
      stride_(stride_of(shortest)),
      table_bits_(table_bits_of(base.size(), shortest)) {
  if (shortest < 16 || shortest > 65536 || base.size() / stride_ >= 0xffffffff)
    throw error(errc::usage, "copies or their base are of a size that is not supported");
  places_.resize(std::size_t{1} << table_bits_);
  window_hash hash(window_);
  for (std::size_t from = 0; from + window_ <= base.size(); from += stride_) {
    hash.start(base.subspan(from, window_));
    const std::size_t slot = hash.value() >> (64 - table_bits_);
    const auto place = static_cast<std::uint32_t>(from / stride_ + 1);
    places_[places_[slot] == 0 ? slot : slot ^ 1] = place;
  }
}

std::uint64_t copy_finder::memory(std::uint64_t base_bytes, std::uint32_t shortest) noexcept {
  return std::uint64_t{sizeof(std::uint32_t)} << table_bits_of(base_bytes, shortest);
}

/// The longest stretch that is equal around plain[at] and base[from] and begins at `free_from` or
/// later.
copy_finder::match copy_finder::match_around(std::span<const std::byte> plain,
                                             std::size_t free_from, std::size_t at,
                                             std::size_t from) const noexcept {
  std::size_t ahead = 0;
  while (at + ahead < plain.size() && from + ahead < base_.size() &&
         plain[at + ahead] == base_[from + ahead])
    ++ahead;
  if (ahead == 0) return {};
  std::size_t back = 0;
  while (at - back > free_from && from > back && plain[at - back - 1] == base_[from - back - 1])
    ++back;
  return {at - back, from - back, ahead + back};
}

copy_finder::match copy_finder::best_match(std::span<const std::byte> plain, const match& last,
                                           std::size_t at, std::uint64_t hash) const noexcept {
  match best;
  const std::size_t going_on = last.from + (at - last.at);
  if (last.bytes > 0 && going_on < base_.size())
    best = match_around(plain, last.end(), at, going_on);
  // Two windows may share a slot, the second in the neighbour's.
  const std::size_t slot = hash >> (64 - table_bits_);
  for (const std::uint32_t place : {places_[slot], places_[slot ^ 1]}) {
    if (place == 0) continue;
    const match other = match_around(plain, last.end(), at, (place - 1) * stride_);
    if (other.bytes > best.bytes + price_of_a_jump) best = other;
  }
  return best;
}

std::vector<copy> copy_finder::find(std::span<const std::byte> plain) const {
  std::vector<copy> copies;
  if (base_.size() < window_) return copies;
  window_hash hash(window_);
  match last;
  bool is_started = false;
  for (std::size_t at = 0; at + window_ <= plain.size();) {
    if (is_started)
      hash.move(plain[at - 1], plain[at + window_ - 1]);
    else
      hash.start(plain.subspan(at, window_));
    const match found = best_match(plain, last, at, hash.value());
    is_started = found.bytes < shortest_;
    if (is_started) {
      ++at;
      continue;
    }
    copies.push_back({found.from, static_cast<std::uint32_t>(found.at - last.end()),
                      static_cast<std::uint32_t>(found.bytes)});
    last = found;
    at = found.end();
  }
  return copies;
}

}  // namespace lmzip::archive
