#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "codec/brevis/production_prior.h"
#include "codec/brevis/proposals.h"

namespace lmzip::codec::brevis {

struct search_options {
  search_effort effort = search_effort::fast;
  std::uint64_t nodes = 0;    ///< productions to try for a tensor; 0: by its size and the effort
  std::uint32_t without = 0;  ///< productions left out, bit by bit; for measurements
  bool learn = true;          ///< the prior learns from the block
  bool best_first = true;     ///< else the first program that is found is taken
};

/// Productions that are tried for a tensor of that size: more for large ones, where there is time.
std::uint64_t node_budget(const search_options& options, std::uint64_t bytes) noexcept;

/// A program that takes fewer bytes than the tensor does in a shared stream, by estimate.
struct found_program {
  node program;
  production first = production::leaf;
  std::uint64_t bytes = 0;  ///< in the payload
};

/// What a search did.
struct search_statistics {
  std::uint64_t nodes = 0;
  std::uint64_t programs = 0;
};

/// Looks for programs of the tensors of a block, one after the other. Best first: partial programs
/// wait in the order of what their bytes and the prior's bits come to, and a lower bound for what
/// is open, and the cheapest is completed by one more production. A budget of nodes ends it, so
/// that the result depends on the tensors and the options only; with more nodes it is never worse.
class program_search {
 public:
  program_search(const search_options& options, const leaf_coding& leaves);

  /// The best program of the next tensor, or nothing if it has no structure. Its bytes must stay
  /// until the search is gone. `first_row`: where a piece of a tensor begins in it.
  std::optional<found_program> find(const tensor_type& type, name_class name,
                                    std::span<const std::byte> bytes, std::uint64_t first_row = 0);

  const search_statistics& statistics() const noexcept { return statistics_; }

 private:
  /// What tensors of one type and name had to give.
  struct class_memory {
    std::optional<production> winner;
    unsigned misses = 0;
  };
  using class_key = std::tuple<dtype, std::vector<std::uint64_t>, name_class>;

  std::vector<production> productions_for(const production_context& context,
                                          const class_memory& memory) const;
  std::optional<found_program> search(const target& wanted, name_class name,
                                      const class_memory& memory);

  search_options options_;
  const leaf_coding& leaves_;
  production_prior prior_;
  block_knowledge known_;
  std::optional<known_tensor> last_;  // the one before, not yet known
  std::map<class_key, class_memory> cache_;
  search_statistics statistics_;
};

}  // namespace lmzip::codec::brevis
