// The decoder-only library's decompress(): without threads, whatever options.threads says.
#include "engine/decompressor.h"

namespace lmzip {

totals decompress(source& in, sink& out, const decompress_options& options) {
  return engine::decompress(in, out, options, engine::run_sequential);
}

std::vector<std::byte> decompress(std::span<const std::byte> archive,
                                  const decompress_options& options) {
  return engine::decompress(archive, options, engine::run_sequential);
}

}  // namespace lmzip
