#include "archive/chunks/copy_finder.h"

#include <array>
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

/// Hashes of the windows of a string one after the other, known some steps before they are wanted.
class hash_queue {
 public:
  hash_queue(std::span<const std::byte> bytes, std::size_t window)
      : bytes_(bytes), window_(window), hash_(window) {}

  /// The next window is the one at `at`.
  void go_to(std::size_t at) noexcept { wanted_ = hashed_ = at; }

  /// The hash of the next window, which there has to be. Calls announce(hash) for windows that come
  /// later.
  template <typename Announce>
  std::uint64_t next(Announce announce) {
    while (hashed_ < wanted_ + ahead && hashed_ + window_ <= bytes_.size()) {
      if (hashed_ == wanted_)
        hash_.start(bytes_.subspan(hashed_, window_));
      else
        hash_.move(bytes_[hashed_ - 1], bytes_[hashed_ + window_ - 1]);
      values_[hashed_++ % ahead] = hash_.value();
      announce(hash_.value());
    }
    return values_[wanted_++ % ahead];
  }

 private:
  static constexpr std::size_t ahead = 16;

  std::span<const std::byte> bytes_;
  std::size_t window_;
  window_hash hash_;
  std::size_t hashed_ = 0;  // the first window that is not known yet
  std::size_t wanted_ = 0;
  std::array<std::uint64_t, ahead> values_{};
};

std::size_t window_of(std::uint32_t shortest) noexcept { return shortest / 2; }

/// Any stretch of the shortest length has one of the windows at this stride in it.
std::size_t stride_of(std::uint32_t shortest) noexcept {
  return shortest - window_of(shortest) + 1;
}

/// Bits of a place that are the number; the others are bits of the hash, which tell most windows
/// apart without a look into the base.
constexpr int number_bits = 26;
constexpr std::uint32_t number_mask = (std::uint32_t{1} << number_bits) - 1;

/// The bits of the hash that a place has, where it has them.
std::uint32_t tag_of(std::uint64_t hash) noexcept {
  return static_cast<std::uint32_t>(hash) & ~number_mask;
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
  if (shortest < 16 || shortest > 65536 || base.size() / stride_ >= number_mask)
    throw error(errc::usage, "copies or their base are of a size that is not supported");
  places_.resize(std::size_t{1} << table_bits_);
  window_hash hash(window_);
  for (std::size_t from = 0; from + window_ <= base.size(); from += stride_) {
    hash.start(base.subspan(from, window_));
    const std::size_t slot = hash.value() >> (64 - table_bits_);
    const auto number = static_cast<std::uint32_t>(from / stride_ + 1);
    places_[places_[slot] == 0 ? slot : slot ^ 1] = tag_of(hash.value()) | number;
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
    const std::size_t number = place & number_mask;
    if ((place ^ number) != tag_of(hash) || number == 0) continue;
    const match other = match_around(plain, last.end(), at, (number - 1) * stride_);
    if (other.bytes > best.bytes + price_of_a_jump) best = other;
  }
  return best;
}

std::vector<copy> copy_finder::find(std::span<const std::byte> plain) const {
  std::vector<copy> copies;
  if (base_.size() < window_) return copies;
  hash_queue hashes(plain, window_);
  match last;
  for (std::size_t at = 0; at + window_ <= plain.size();) {
    // The table is asked for before it is needed: waiting for it takes most of the time.
    const std::uint64_t hash = hashes.next(
        [this](std::uint64_t later) { __builtin_prefetch(&places_[later >> (64 - table_bits_)]); });
    const match found = best_match(plain, last, at, hash);
    if (found.bytes < shortest_) {
      ++at;
      continue;
    }
    copies.push_back({found.from, static_cast<std::uint32_t>(found.at - last.end()),
                      static_cast<std::uint32_t>(found.bytes)});
    last = found;
    at = found.end();
    hashes.go_to(at);
  }
  return copies;
}

}  // namespace lmzip::archive
