#include "codec/store/store.h"

namespace lmzip::codec {

encoded store_block(std::span<const std::byte> plain) {
  return {{codec_id::store, 0, 0}, {plain.begin(), plain.end()}};
}

}  // namespace lmzip::codec
