#pragma once

#include "core/cpu.h"

// What tests of code with several instruction sets share.
namespace lmzip::test {

/// All of them; what the processor lacks runs as the best that it has.
inline constexpr isa all_isas[] = {isa::scalar, isa::avx2, isa::avx512};

/// Selects an instruction set for as long as it lives.
class on_isa {
 public:
  explicit on_isa(isa wanted) : before_(active_isa()) { select_isa(wanted); }
  ~on_isa() { select_isa(before_); }
  on_isa(const on_isa&) = delete;
  on_isa& operator=(const on_isa&) = delete;

 private:
  isa before_;
};

}  // namespace lmzip::test
