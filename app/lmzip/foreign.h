#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lmzip/stream.h"

namespace lmzip::app {

/// Reads the beginning of another source ahead and then gives all of it from the front.
class prefix_source final : public source {
 public:
  explicit prefix_source(source& from) : from_(from) {}

  /// Reads ahead until `bytes` bytes are there or the source ends; returns what is there.
  std::span<const std::byte> look_ahead(std::size_t bytes);
  std::size_t read(std::span<std::byte> out) override;

 private:
  source& from_;
  std::vector<std::byte> prefix_;
  std::size_t used_ = 0;
};

/// True if the data is certainly no lmzip archive, not even a damaged one, judged from its
/// beginning: it is not empty, begins otherwise, and has no intact block header in its first bytes.
bool is_foreign(prefix_source& from);

/// Copies all of `from`.
void copy(source& from, sink& to);

}  // namespace lmzip::app
