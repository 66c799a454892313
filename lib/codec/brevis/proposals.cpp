#include "codec/brevis/proposals.h"

#include <algorithm>

#include "codec/brevis/block_payload.h"
#include "codec/brevis/block_writer.h"
#include "codec/brevis/formula_guesses.h"
#include "codec/delta/delta_codec.h"
#include "codec/ratio/ratio_codec.h"
#include "lmzip/error.h"

namespace lmzip::codec::brevis {
namespace {

proposal complete(production what, node program) {
  const std::size_t bytes = program_bytes(program);
  return {what, bytes, bytes, {}, [program = std::move(program)](std::vector<node>) {
            return program;
          }};
}

}  // namespace

target make_target(tensor_type type, std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  const std::span<const std::byte> view = *owner;
  return {std::move(type), view, std::move(owner), 0};
}

void block_knowledge::add(const tensor_type& type, std::span<const std::byte> bytes) {
  const std::size_t number = types_.size();
  types_.push_back(type);
  tensors_.push_back({type, bytes});
  // Shapes keep their place in memory when the list of types grows.
  views_.push_back({type.type, types_.back().shape, bytes});
  if (!can_view(type.type) || bytes.empty()) return;
  relations_.add(number, views_.back());
  rows_.add(number, views_.back());
}

std::vector<std::byte> block_knowledge::result_of(const node& program) const {
  std::vector<std::byte> result(static_cast<std::size_t>(program.result.bytes()));
  environment known{tensors_, nullptr};
  evaluate(program, known, result);
  return result;
}

std::vector<proposal> finished(production what, node program, const target& wanted,
                               const block_knowledge& known) {
  std::vector<std::byte> result;
  try {
    result = known.result_of(program);
  } catch (const error&) {
    return {};
  }
  if (std::equal(result.begin(), result.end(), wanted.bytes.begin(), wanted.bytes.end()))
    return {complete(what, std::move(program))};
  const delta::base_numbers base{wanted.type.type, result};
  if (!delta::can_be_base(wanted.type.type, wanted.type.type)) return {};
  auto payload = delta::encode(wanted.type.type, base, wanted.bytes);
  if (payload.size() >= wanted.bytes.size() / 2) return {};
  return {complete(what, ulp(std::move(program), std::move(payload)))};
}

std::vector<proposal> propose_formula(const target& wanted, const block_knowledge& known) {
  const auto call = guess_formula(wanted.view(), wanted.first_row);
  if (!call) return {};
  const tensor_type shape{wanted.type.type, {call->rows, call->columns}};
  return finished(production::formula, formula(shape, call->id, call->parameters), wanted, known);
}

std::vector<proposal> propose_planes(const target& wanted, const leaf_coding& leaves) {
  constexpr std::size_t least = 64, sampled = std::size_t{16} << 10;
  const dtype type = wanted.type.type;
  const std::size_t width = bits_of(type) / 8;
  if (width < 2 || wanted.bytes.size() < least) return {};
  // A sample tells whether repeats of bytes beat the statistics of numbers.
  const auto sample = sample_numbers(type, wanted.bytes, sampled);
  const std::uint64_t statistics = ratio::estimate(type, sample) >> 19;
  if (leaves.estimate_planes(planes_of(sample, width)) > statistics + statistics / 16) return {};
  auto planes = planes_of(wanted.bytes, width);
  const std::uint64_t count = wanted.bytes.size() / width;
  auto payload = leaves.code_planes(planes);
  node bytes = leaf(vector_of(dtype::u8, planes.size()), leaf_coder::zstd, std::move(payload));
  return {
      complete(production::planes, view(wanted.type, transpose(std::move(bytes), width, count)))};
}

std::vector<proposal> propose(production what, const target& wanted, const block_knowledge& known,
                              const leaf_coding& leaves, bool alone) {
  if (!can_view(wanted.type.type) || wanted.bytes.empty()) return {};
  switch (what) {
    case production::related:
    case production::gathered:
    case production::sum:
    case production::near:
      return alone ? std::vector<proposal>{} : propose_relations(what, wanted, known);
    case production::formula:
      return propose_formula(wanted, known);
    case production::planes:
      return propose_planes(wanted, leaves);
    case production::tile:
    case production::broadcast:
    case production::band:
      return propose_repeats(what, wanted);
    case production::leaf:
      return {};
    default:
      return propose_values(what, wanted);
  }
}

}  // namespace lmzip::codec::brevis
