#include "codec/brevis/block_writer.h"

#include <algorithm>

#include "codec/brevis/payload_fields.h"
#include "codec/brevis/type_rules.h"
#include "core/endian.h"
#include "lmzip/error.h"

namespace lmzip::codec::brevis {
namespace {

void write_bytes(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
  write_count(to, bytes.size());
  to.insert(to.end(), bytes.begin(), bytes.end());
}

void write_literal(std::vector<std::byte>& to, literal_kind kind, const node& whole,
                   std::uint64_t literal) {
  const bool real = kind == literal_kind::real ||
                    (kind == literal_kind::number && is_real_float(whole.result.type));
  if (real) {
    to.resize(to.size() + 8);
    store_le(&to[to.size() - 8], literal);
  } else {
    const bool with_sign = kind == literal_kind::offset || kind == literal_kind::number;
    write_count(to, with_sign ? fold(literal) : literal);
  }
}

void write_program(std::vector<std::byte>& to, const node& whole) {
  if (whole.what == op::leaf) {
    to.push_back(static_cast<std::byte>(leaf_mark + whole.literals[0]));
    if (whole.literals[0] != static_cast<std::uint64_t>(leaf_coder::rest))
      write_bytes(to, whole.payload);
    return;
  }
  to.push_back(static_cast<std::byte>(whole.what));
  const auto fixed = fixed_literals(whole.what);
  for (std::size_t i = 0; i < whole.literals.size(); ++i)
    write_literal(to, i < fixed.size() ? fixed[i] : further_kind(whole.what), whole,
                  whole.literals[i]);
  if (whole.what == op::ulp || whole.what == op::delta) write_bytes(to, whole.payload);
  for (const node& part : whole.parts) write_program(to, part);
}

void write_tensors(std::vector<std::byte>& to, std::span<const tensor_type> tensors) {
  write_count(to, tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (i > 0 && tensors[i] == tensors[i - 1]) {
      to.push_back(static_cast<std::byte>(same_type));
      continue;
    }
    to.push_back(static_cast<std::byte>(tensors[i].type));
    write_count(to, tensors[i].shape.size());
    for (const std::uint64_t axis : tensors[i].shape) write_count(to, axis);
  }
}

}  // namespace

std::vector<std::byte> write_block(const block_program& block) {
  if (block.tensors.empty() || block.tensors.size() > max_tensors ||
      block.programs.size() != block.tensors.size())
    throw error(errc::internal, "a block has no program for each tensor");
  std::vector<std::byte> coded;
  write_tensors(coded, block.tensors);
  for (std::size_t i = 0; i < block.programs.size(); ++i) {
    if (!is_valid(block.programs[i], block.tensors[i], std::span(block.tensors).first(i)))
      throw error(errc::internal, "a program is against the rules");
    write_program(coded, block.programs[i]);
  }
  auto streams = block.streams;
  std::sort(streams.begin(), streams.end(),
            [](const auto& a, const auto& b) { return a.type < b.type; });
  write_count(coded, streams.size());
  for (const shared_stream& stream : streams) {
    coded.push_back(static_cast<std::byte>(stream.type));
    coded.push_back(static_cast<std::byte>(stream.coder));
    write_bytes(coded, stream.payload);
  }
  return coded;
}

std::size_t program_bytes(const node& program) {
  std::vector<std::byte> coded;
  write_program(coded, program);
  return coded.size();
}

std::vector<std::byte> gather_rest(const block_program& block, dtype type,
                                   std::span<const std::byte> plain) {
  std::vector<std::byte> numbers;
  std::size_t at = 0;
  for (std::size_t i = 0; i < block.tensors.size(); ++i) {
    const auto bytes = plain.subspan(at, static_cast<std::size_t>(block.tensors[i].bytes()));
    at += bytes.size();
    const node& program = block.programs[i];
    if (block.tensors[i].type == type && program.what == op::leaf &&
        program.literals[0] == static_cast<std::uint64_t>(leaf_coder::rest))
      numbers.insert(numbers.end(), bytes.begin(), bytes.end());
  }
  return numbers;
}

}  // namespace lmzip::codec::brevis
