#include "codec/brevis/evaluator.h"

#include <algorithm>
#include <cstring>

#include "codec/brevis/formulas.h"
#include "codec/brevis/operand.h"
#include "codec/delta/delta_codec.h"
#include "codec/lmc/lmc.h"
#include "codec/ratio/ratio_codec.h"
#include "codec/zstd/zstd_codec.h"
#include "lmzip/error.h"

namespace lmzip::codec::brevis {
namespace {

/// Whether the operator evaluates its first part to where its result goes.
bool is_in_place(const node& whole) noexcept {
  switch (whole.what) {
    case op::tile:
    case op::reverse:
    case op::negate:
    case op::scale2:
    case op::add:
    case op::view:
      return true;
    default:
      return false;
  }
}

/// As evaluation_memory(), with the result if that does not stand anywhere.
std::uint64_t operand_memory(const node& part) noexcept {
  if (part.what == op::reference) return 0;
  if (part.what == op::view) return operand_memory(part.parts[0]);
  return part.result.bytes() + evaluation_memory(part);
}

}  // namespace

operand::operand(const node& part, environment& known) {
  const node* what = &part;
  while (what->what == op::view) what = &what->parts[0];
  if (what->what == op::reference) {
    bytes_ = referred_bytes(*what, known);
    return;
  }
  const auto size = static_cast<std::size_t>(what->result.bytes());
  owned_ = std::make_unique_for_overwrite<std::byte[]>(size);
  evaluate(*what, known, {owned_.get(), size});
  bytes_ = {owned_.get(), size};
}

std::span<const std::byte> referred_bytes(const node& whole, const environment& known) {
  if (whole.literals[0] >= known.earlier.size())
    throw error(errc::internal, "a program refers to a tensor that is not there");
  return known.earlier[static_cast<std::size_t>(whole.literals[0])].bytes;
}

void decode_numbers(leaf_coder coder, dtype type, std::span<const std::byte> coded,
                    std::span<std::byte> out) {
  switch (coder) {
    case leaf_coder::raw:
      if (coded.size() != out.size()) throw error(errc::damaged, "stored numbers have a wrong size");
      std::copy(coded.begin(), coded.end(), out.begin());
      return;
    case leaf_coder::zstd:
      return zstd_decoder_v0.decode(1, coded, out);
    case leaf_coder::lmc:
      return lmc::decode(type, coded, out);
    case leaf_coder::ratio:
      return ratio::decode(coded, out);
    case leaf_coder::rest:
      break;
  }
  throw error(errc::damaged, "numbers have an unknown coder");
}

void decode_leaf(const node& whole, environment& known, std::span<std::byte> out) {
  const auto coder = static_cast<leaf_coder>(whole.literals[0]);
  if (coder != leaf_coder::rest)
    return decode_numbers(coder, whole.result.type, whole.payload, out);
  if (known.rest == nullptr) throw error(errc::damaged, "a program has no shared streams");
  known.rest->take(whole.result.type, out);
}

void evaluate(const node& program, environment& known, std::span<std::byte> out) {
  switch (program.what) {
    case op::leaf:
      return decode_leaf(program, known, out);
    case op::reference: {
      const auto bytes = referred_bytes(program, known);
      std::copy(bytes.begin(), bytes.end(), out.begin());
      return;
    }
    case op::view:
      return evaluate(program.parts[0], known, out);
    case op::ulp: {
      const operand base(program.parts[0], known);
      return delta::decode(program.payload, {program.result.type, base.bytes()}, out);
    }
    case op::delta: {
      const auto base = referred_bytes(program, known);
      const dtype type = known.earlier[static_cast<std::size_t>(program.literals[0])].type.type;
      return delta::decode(program.payload, {type, base}, out);
    }
    case op::tile:
    case op::broadcast:
    case op::interleave:
    case op::concat:
    case op::transpose:
    case op::reverse:
      return evaluate_places(program, known, out);
    case op::constant:
    case op::band:
    case op::rows:
    case op::block:
    case op::palette:
    case op::sparse:
      return evaluate_choices(program, known, out);
    default:
      return evaluate_numbers(program, known, out);
  }
}

std::uint64_t evaluation_memory(const node& program) noexcept {
  std::uint64_t held = 0, peak = 0;
  const bool pieces = program.what == op::concat;
  for (std::size_t i = 0; i < program.parts.size(); ++i) {
    const node& part = program.parts[i];
    if ((i == 0 && is_in_place(program)) || (pieces && program.literals[0] == 1)) {
      peak = std::max(peak, evaluation_memory(part));
    } else {
      peak = std::max(peak, held + operand_memory(part));
      if (!pieces && part.what != op::reference) held += part.result.bytes();
    }
  }
  return peak;
}

std::uint64_t evaluation_work(const node& program) noexcept {
  std::uint64_t work = program.what == op::formula ? 8 * program.result.elements()
                                                   : program.result.bytes();
  for (const node& part : program.parts) work += evaluation_work(part);
  return work;
}

}  // namespace lmzip::codec::brevis
