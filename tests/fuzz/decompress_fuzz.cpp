// decompress(), plain and keep-going, inspect() and repair() on any bytes; and back and forth.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "lmzip/compress.h"
#include "lmzip/decompress.h"
#include "lmzip/inspect.h"

namespace {

using namespace lmzip;

constexpr std::uint64_t output_limit = std::uint64_t{4} << 20;  // guards against bombs

class span_source final : public source {
 public:
  explicit span_source(std::span<const std::byte> rest) : rest_(rest) {}
  std::size_t read(std::span<std::byte> out) override {
    const std::size_t count = std::min(out.size(), rest_.size());
    std::copy_n(rest_.begin(), count, out.begin());
    rest_ = rest_.subspan(count);
    return count;
  }

 private:
  std::span<const std::byte> rest_;
};

class counting_sink final : public sink {
 public:
  void write(std::span<const std::byte> data) override {
    bytes.insert(bytes.end(), data.begin(), data.end());
  }
  std::vector<std::byte> bytes;
};

template <typename Action>
void tolerate_bad_input(Action action) {
  try {
    action();
  } catch (const error& cause) {
    if (cause.code() == errc::internal || cause.code() == errc::io) std::abort();
  }
}

void repair_decodes(std::span<const std::byte> input) {
  span_source in(input);
  counting_sink mended;
  decompress_options options;
  options.memory_limit = std::uint64_t{256} << 20;
  tolerate_bad_input([&] { repair(in, mended, options); });
  options = {};
  options.output_limit = output_limit;
  try {
    if (!mended.bytes.empty()) decompress(mended.bytes, options);
  } catch (const error& cause) {
    // What a stopped repair() has written may be cut.
    if (cause.code() != errc::memory_limit && cause.code() != errc::truncated) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = std::as_bytes(std::span(data, size));
  decompress_options options;
  options.output_limit = output_limit;
  options.memory_limit = std::uint64_t{256} << 20;
  tolerate_bad_input([&] { decompress(input, options); });
  options.on_damage = [](const damage&) {};
  tolerate_bad_input([&] { decompress(input, options); });
  tolerate_bad_input([&] {
    span_source in(input);
    inspect(in);
  });
  repair_decodes(input);

  compress_options small;
  small.level = 1;
  small.block_bytes = min_block_bytes;
  const auto archive = compress(input, small);
  const auto again = decompress(archive);
  if (!std::equal(input.begin(), input.end(), again.begin(), again.end())) std::abort();
  return 0;
}
