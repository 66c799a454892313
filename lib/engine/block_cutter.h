#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base_match.h"
#include "engine/byte_buffer.h"
#include "engine/tensor_cuts.h"
#include "formats/tensors/zip_walk.h"
#include "lmzip/stream.h"

namespace lmzip::engine {

/// Cuts an input into blocks: at the borders of tensors where it is a file of tensors that is known
/// from its beginning, and where one follows it; elsewhere into equal blocks. Borders depend on the
/// bytes only, not on how a pipe cuts them. For one thread at a time.
class block_cutter {
 public:
  /// Looks at the beginning of the input. With a base, which must outlive it, it cuts for that and
  /// finds partners. Throws what the source throws.
  block_cutter(source& in, std::uint64_t block_bytes, const base_pool* base = nullptr,
               gathering gather = gathering::none);

  /// Whether something that comes may be coded against the base, as far as can be seen.
  bool uses_base() const noexcept;

  /// Bytes of memory that the header at the beginning takes, and what it says: up to 11 times
  /// max_header_bytes. Headers that follow are known by their first max_later_header_bytes only.
  std::uint64_t memory() const noexcept { return memory_; }

  static constexpr std::uint64_t max_header_bytes = std::uint64_t{32} << 20;
  static constexpr std::uint64_t max_later_header_bytes = std::uint64_t{128} << 10;

  /// Reads the next cut into the front of `into` and returns its bytes, 0 at the end. `based` are
  /// the tensors of a block of numbers that may be coded against the base, else empty. Takes memory
  /// as the bytes arrive. Throws what the source throws, and error(internal) if it breaks its
  /// contract.
  std::size_t read(byte_buffer& into, cut& next, std::vector<based_part>& based);

  /// Whether all was read. Throws what the source throws.
  bool at_end() { return in_.peek(1).empty(); }

 private:
  /// A source of which the first bytes can be seen before they are read.
  class peeking_source final : public source {
   public:
    explicit peeking_source(source& from) : from_(from) {}

    std::size_t read(std::span<std::byte> out) override;

    /// The next `count` bytes, fewer only at the end.
    std::span<const std::byte> peek(std::size_t count);

    std::uint64_t seen() const noexcept { return seen_.size() - used_; }

   private:
    source& from_;
    std::vector<std::byte> seen_;
    std::size_t used_ = 0;  // of seen_
  };

  void look_ahead(std::uint64_t header_limit);
  bool has_partners() const noexcept;
  std::optional<tensors::tensor_layout> next_layout(std::uint64_t header_limit);

  peeking_source in_;
  std::uint64_t block_bytes_;
  gathering gather_;
  std::uint64_t memory_ = 0;
  bool plain_ = false;                    // nothing more is looked for
  std::optional<tensors::zip_walk> zip_;  // where the input is a zip archive of tensors
  const base_pool* base_;
  std::vector<partners> partners_;  // of the tensors of the layout
  std::vector<cut> cuts_;
  std::size_t next_ = 0;  // of cuts_
};

}  // namespace lmzip::engine
