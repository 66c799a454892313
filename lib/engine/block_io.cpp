#include "engine/block_io.h"

#include <algorithm>

#include "lmzip/error.h"

namespace lmzip::engine {

std::size_t read_block(source& in, std::uint64_t block_bytes, byte_buffer& into) {
  constexpr std::size_t first_bytes = std::size_t{64} << 10;
  const auto wanted = static_cast<std::size_t>(block_bytes);
  std::size_t have = 0;
  while (have < wanted) {
    if (have == into.capacity())
      into.grow(std::min(wanted, std::max(first_bytes, 2 * into.capacity())));
    const auto room = into.first(std::min(wanted, into.capacity())).subspan(have);
    const std::size_t count = in.read(room);
    if (count > room.size()) throw error(errc::internal, "a source returned more than was asked");
    if (count == 0) break;
    have += count;
  }
  return have;
}

}  // namespace lmzip::engine
