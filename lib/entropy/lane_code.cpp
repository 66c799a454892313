#include "entropy/lane_code.h"

#include <algorithm>

#include "lmzip/error.h"

namespace lmzip {
namespace {

constexpr unsigned max_leaves = lane_code::max_values + 1;

struct leaf {
  std::uint64_t weight;
  std::uint16_t value;  // 256: the escape
  std::uint8_t length;
};

// One level of package-merge: leaves and pairs of the level below, by weight.
struct package_level {
  struct item {
    std::uint64_t weight;
    bool is_leaf;
  };
  std::array<item, 2 * max_leaves> items;
  std::size_t count = 0;
};

void merge(std::span<const leaf> leaves, const package_level* below, package_level& level) {
  const std::size_t packages = below ? below->count / 2 : 0;
  std::size_t next_leaf = 0;
  std::size_t next_package = 0;
  level.count = 0;
  while (next_leaf < leaves.size() || next_package < packages) {
    std::uint64_t package = 0;
    if (next_package < packages)
      package = below->items[2 * next_package].weight + below->items[2 * next_package + 1].weight;
    const bool take_leaf = next_package == packages ||
                           (next_leaf < leaves.size() && leaves[next_leaf].weight <= package);
    level.items[level.count++] = {take_leaf ? leaves[next_leaf].weight : package, take_leaf};
    ++(take_leaf ? next_leaf : next_package);
  }
}

// Sets the lengths of `leaves`, sorted by weight, 2 … 64 of them.
void set_lengths(std::span<leaf> leaves, unsigned limit) {
  std::array<package_level, lane_code::max_limit> levels;
  for (unsigned i = 0; i < limit; ++i) merge(leaves, i == 0 ? nullptr : &levels[i - 1], levels[i]);
  std::size_t taken = 2 * leaves.size() - 2;
  for (unsigned i = limit; i-- > 0;) {
    const auto begin = levels[i].items.begin();
    const auto leaves_taken =
        static_cast<std::size_t>(std::count_if(begin, begin + static_cast<std::ptrdiff_t>(taken),
                                               [](auto& item) { return item.is_leaf; }));
    for (std::size_t k = 0; k < leaves_taken; ++k) ++leaves[k].length;
    taken = 2 * (taken - leaves_taken);
  }
}

std::uint8_t reversed(unsigned code, unsigned length) {
  unsigned result = 0;
  for (unsigned i = 0; i < length; ++i) result |= (code >> i & 1) << (length - 1 - i);
  return static_cast<std::uint8_t>(result);
}

}  // namespace

lane_code::lane_code(const byte_counts& counts, unsigned limit, bool complete) : limit_(limit) {
  std::uint64_t total = 0;
  for (const std::uint32_t count : counts) total += count;

  // A code of `limit` bits takes 2^-limit of the code space, which costs the others that part of
  // 1 / ln 2 bits a value; it saves about 8 bits each time that it is used.
  const std::uint64_t rare = limit == 7 ? 700 : 1400;
  std::array<leaf, 256> found;
  std::size_t size = 0;
  for (unsigned value = 0; value < 256; ++value)
    if (counts[value] != 0 && counts[value] * rare >= total)
      found[size++] = {counts[value] * std::uint64_t{8}, static_cast<std::uint16_t>(value), 0};
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(size);
  std::stable_sort(found.begin(), end, [](auto& a, auto& b) { return a.weight > b.weight; });
  size = std::min<std::size_t>(size, max_values);

  std::uint64_t rest = total;
  for (std::size_t i = 0; i < size; ++i) rest -= found[i].weight / 8;
  if (!complete || rest != 0 || size < 2) found[size++] = {rest * 8 + 1, 256, 0};
  const std::span leaves = std::span(found).first(size);
  std::stable_sort(leaves.begin(), leaves.end(),
                   [](auto& a, auto& b) { return a.weight < b.weight; });
  set_lengths(leaves, limit);
  for (const leaf& one : leaves)
    (one.value == 256 ? escape_ : entries_[one.value]).length = one.length;
  assign_codes();
}

lane_code::lane_code(cursor& in, unsigned limit) : limit_(limit) {
  std::array<std::uint8_t, max_values> values;
  unsigned count = 0;
  unsigned next = 0;
  for (unsigned runs = in.u8(); runs > 0; --runs) {
    const unsigned first = in.u8();
    const unsigned length = in.u8() + 1u;
    if (first < next || first + length > 256 || count + length > max_values)
      throw error(errc::damaged, "values of a prefix code are out of order");
    for (unsigned i = 0; i < length; ++i) values[count++] = static_cast<std::uint8_t>(first + i);
    next = first + length + 1;  // runs that touch are one run
  }
  const auto halves = in.bytes((count + 2) / 2);
  const auto length_at = [&](unsigned i) {
    return static_cast<std::uint8_t>(std::to_integer<unsigned>(halves[i / 2]) >> i % 2 * 4 & 15);
  };
  for (unsigned i = 0; i < count; ++i) {
    entries_[values[i]].length = length_at(i);
    if (length_at(i) == 0) throw error(errc::damaged, "a value of a prefix code has no code");
  }
  escape_.length = length_at(count);
  const bool padded = count % 2 == 1 || length_at(count + 1) == 0;
  if (!padded || !assign_codes()) throw error(errc::damaged, "no complete prefix code");
}

void lane_code::write(std::vector<std::byte>& out) const {
  const std::size_t runs_at = out.size();
  out.push_back(std::byte{0});
  std::vector<std::uint8_t> lengths;
  unsigned runs = 0;
  for (unsigned value = 0; value < 256; ++value) {
    if (entries_[value].length == 0) continue;
    const unsigned first = value;
    while (value < 256 && entries_[value].length != 0) lengths.push_back(entries_[value++].length);
    out.push_back(static_cast<std::byte>(first));
    out.push_back(static_cast<std::byte>(value - first - 1));
    ++runs;
  }
  out[runs_at] = static_cast<std::byte>(runs);
  lengths.push_back(escape_.length);
  if (lengths.size() % 2 == 1) lengths.push_back(0);
  for (std::size_t i = 0; i < lengths.size(); i += 2)
    out.push_back(static_cast<std::byte>(lengths[i] | lengths[i + 1] << 4));
}

std::uint8_t lane_code::cheapest() const noexcept {
  unsigned best = escape_value_;
  for (unsigned value = 0; value < 256; ++value) {
    const unsigned length = entries_[value].length;
    if (length != 0 && (entries_[best].length == 0 || length < entries_[best].length)) best = value;
  }
  return static_cast<std::uint8_t>(best);
}

std::uint64_t lane_code::cost(const byte_counts& counts) const noexcept {
  std::uint64_t bits = 0;
  for (unsigned value = 0; value < 256; ++value) {
    const unsigned own = entries_[value].length;
    bits += std::uint64_t{counts[value]} * (own != 0 ? own : escape_.length + 8u);
  }
  return bits;
}

// Deals out the codes; false if the lengths make no complete code.
bool lane_code::assign_codes() noexcept {
  unsigned code = 0;
  for (unsigned length = 1; length <= limit_; ++length) {
    const auto give = [&](entry& to) {
      if (to.length != length) return;
      to.bits = reversed(code & 0xff, length);
      ++code;
    };
    for (entry& own : entries_) give(own);
    give(escape_);
    if (code > 1u << length) return false;
    if (length < limit_) code <<= 1;
  }
  for (unsigned value = 0; value < 256; ++value)
    if (entries_[value].length > limit_) return false;
  unsigned unused = 0;
  while (entries_[unused].length != 0) ++unused;  // at most 63 of 256 have a code
  escape_value_ = static_cast<std::uint8_t>(unused);
  return escape_.length <= limit_ && code == 1u << limit_;
}

}  // namespace lmzip
