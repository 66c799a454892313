#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "codec/brevis/evaluator.h"
#include "codec/brevis/leaf_coding.h"
#include "codec/brevis/production.h"
#include "codec/brevis/program.h"
#include "codec/brevis/relations.h"
#include "codec/brevis/row_index.h"
#include "codec/brevis/tensor_view.h"

namespace lmzip::codec::brevis {

/// Numbers that a program has to make: of a tensor, or of what an operator needs to make it.
struct target {
  tensor_type type;
  std::span<const std::byte> bytes;
  std::shared_ptr<const std::vector<std::byte>> owner;  ///< of the bytes; null: the tensor itself
  std::uint64_t first_row = 0;  ///< where they begin in a tensor of which they are a piece

  tensor_view view() const noexcept { return {type.type, type.shape, bytes}; }
};

/// A target that owns its bytes.
target make_target(tensor_type type, std::vector<std::byte> bytes);

/// One step of a program: an operator whose parts are still to be found.
struct proposal {
  production what = production::leaf;
  std::uint64_t bytes = 0;      ///< of literals and payloads, about
  std::uint64_t least = 0;      ///< the same, certainly not more than there are
  std::vector<target> holes{};  ///< what the parts have to make, in order
  std::function<node(std::vector<node>)> build;
};

/// What the search knows of the tensors before the one it looks at.
class block_knowledge {
 public:
  /// Notes the next tensor of the block.
  void add(const tensor_type& type, std::span<const std::byte> bytes);

  std::span<const tensor_type> types() const noexcept { return types_; }
  std::span<const known_tensor> tensors() const noexcept { return tensors_; }
  const relation_index& relations() const noexcept { return relations_; }
  const row_index& rows() const noexcept { return rows_; }

  /// The tensors as detectors see them.
  std::span<const tensor_view> views() const noexcept { return views_; }

  /// What a program without shared numbers makes.
  std::vector<std::byte> result_of(const node& program) const;

 private:
  std::vector<tensor_type> types_;
  std::vector<tensor_view> views_;
  std::vector<known_tensor> tensors_;
  relation_index relations_;
  row_index rows_;
};

/// All ways that `what` offers to make the target, each checked against every number except those
/// of its holes. Only what refers to no other tensor, if `alone`.
std::vector<proposal> propose(production what, const target& wanted, const block_knowledge& known,
                              const leaf_coding& leaves, bool alone);

// What propose() is made of.
std::vector<proposal> propose_values(production what, const target& wanted);
std::vector<proposal> propose_repeats(production what, const target& wanted);
std::vector<proposal> propose_relations(production what, const target& wanted,
                                        const block_knowledge& known);
std::vector<proposal> propose_formula(const target& wanted, const block_knowledge& known);
std::vector<proposal> propose_planes(const target& wanted, const leaf_coding& leaves);

/// The program as it is, or within ulp(), if it comes close to the target; nothing otherwise.
std::vector<proposal> finished(production what, node program, const target& wanted,
                               const block_knowledge& known);

}  // namespace lmzip::codec::brevis
