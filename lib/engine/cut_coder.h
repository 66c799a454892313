#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/base_match.h"
#include "engine/byte_buffer.h"
#include "engine/levels.h"
#include "engine/long_range/repeats.h"
#include "engine/router.h"
#include "engine/tensor_cuts.h"
#include "formats/container/writer.h"

namespace lmzip::engine {

/// A cut of the input, before it is coded. Its memory is used again.
struct uncoded_cut {
  byte_buffer buffer;
  std::size_t size = 0;  // plain bytes in the buffer
  cut holds;
  std::vector<based_part> based;  ///< if it may be coded against the base
  std::vector<repeat> repeats;    ///< of what the member has had

  std::span<std::byte> plain() { return buffer.first(size); }
};

/// Working memory of one call of cut_coder::code().
struct cut_scratch {
  byte_buffer literals;
  byte_buffer verification;
};

/// Makes blocks of cuts: against the base, by repeats, as programs or by themselves, whatever is
/// smallest. The result depends on the bytes and the plan only. Safe to use from several threads.
class cut_coder {
 public:
  /// `base` may be nullptr. All must outlive the coder.
  cut_coder(const level_plan& plan, bool strong, base_pool* base)
      : plan_(plan), strong_(strong), base_(base) {}

  /// The blocks of a cut that is not empty, ready to be written. Throws std::bad_alloc, and what
  /// reading the base throws.
  std::vector<container::sealed_block> code(uncoded_cut& from, cut_scratch& scratch) const;

 private:
  using blocks = std::vector<container::sealed_block>;

  blocks against_base(uncoded_cut& from, cut_scratch& scratch) const;
  blocks with_repeats(uncoded_cut& from, cut_scratch& scratch) const;
  blocks as_programs(uncoded_cut& from, cut_scratch& scratch, bool& clearly) const;
  blocks by_themselves(uncoded_cut& from, cut_scratch& scratch) const;
  routed routed_plain(const content& holds, std::span<const std::byte> plain,
                      cut_scratch& scratch) const;
  container::sealed_block seal(routed result, std::span<const std::byte> plain,
                               container::block_type type = container::block_type::data) const;

  const level_plan& plan_;
  bool strong_;
  base_pool* base_;
};

}  // namespace lmzip::engine
