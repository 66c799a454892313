#include "app/lmzip/foreign.h"

#include <algorithm>
#include <cstring>

#include "formats/container/format.h"

namespace lmzip::app {
namespace {

/// How far block headers are looked for. A text block of the default size is seldom larger.
constexpr std::size_t scanned_bytes = std::size_t{8} << 20;
constexpr std::size_t copy_bytes = std::size_t{1} << 18;

}  // namespace

std::span<const std::byte> prefix_source::look_ahead(std::size_t bytes) {
  std::size_t have = prefix_.size();
  prefix_.resize(std::max(have, bytes));
  while (have < bytes) {
    const std::size_t count = from_.read(std::span(prefix_).subspan(have));
    if (count == 0) break;
    have += count;
  }
  prefix_.resize(have);
  return prefix_;
}

std::size_t prefix_source::read(std::span<std::byte> out) {
  if (used_ == prefix_.size()) return from_.read(out);
  const std::size_t count = std::min(out.size(), prefix_.size() - used_);
  std::memcpy(out.data(), prefix_.data() + used_, count);
  used_ += count;
  return count;
}

bool is_foreign(prefix_source& from) {
  const auto& magic = container::magic;
  const auto front = from.look_ahead(magic.size());
  const std::size_t common = std::min(front.size(), magic.size());
  if (std::equal(front.begin(), front.begin() + static_cast<std::ptrdiff_t>(common),
                 magic.begin())) {
    return false;  // also an empty or cut one
  }
  return !container::contains_block_header(from.look_ahead(scanned_bytes));
}

void copy(source& from, sink& to) {
  std::vector<std::byte> buffer(copy_bytes);
  for (;;) {
    const std::size_t count = from.read(buffer);
    if (count == 0) return;
    to.write(std::span(buffer).first(count));
  }
}

}  // namespace lmzip::app
