#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "codec/brevis/tensor_type.h"

namespace lmzip::codec::brevis {

// Programs that make tensors. A program is a tree of operators, each of which makes numbers of one
// type from literals, the results of its parts and, for some, coded bytes. Only the type of the
// numbers and how many there are count where a result is used, the shape does not: operators that
// care for rows take their lengths as literals. Results of the builders below have one dimension,
// except those of band() and formula(), which have two.

inline constexpr std::size_t max_nodes = 64;
inline constexpr std::size_t max_depth = 8;
inline constexpr std::size_t max_tensors = 4096;  ///< of a block

/// Operators by their number in the payload. Numbers are never reused.
enum class op : std::uint8_t {
  leaf = 0,
  constant = 1,
  ramp = 2,
  tile = 3,
  broadcast = 4,
  interleave = 5,
  band = 6,
  reference = 7,
  rows = 8,
  block = 9,
  concat = 10,
  transpose = 11,
  reverse = 12,
  negate = 13,
  scale2 = 14,
  cast = 15,
  grid = 16,
  palette = 17,
  sparse = 18,
  formula = 19,
  ulp = 20,
  delta = 21,
  add = 22,
  view = 23,
};

inline constexpr unsigned op_count = 24;

/// How the numbers of a leaf or of a shared stream are coded.
enum class leaf_coder : std::uint8_t {
  raw = 0,    ///< as they are
  zstd = 1,   ///< a frame as of codec 2
  lmc = 2,    ///< a payload of codec 6
  ratio = 3,  ///< a payload of codec 7
  rest = 4,   ///< the next numbers of the shared stream of their type; no bytes of its own
};

inline constexpr unsigned leaf_coder_count = 5;

struct node {
  op what = op::leaf;
  tensor_type result;

  /// In the order of the builders' parameters; what they mean is in type_rules.h. Signed ones as
  /// two's complement, binary64 and numbers of the result's type as their bits.
  std::vector<std::uint64_t> literals;
  std::vector<node> parts;

  /// Coded bytes of leaf, ulp and delta: in `owner`, or where the program was read from.
  std::span<const std::byte> payload;
  std::shared_ptr<const std::vector<std::byte>> owner;
};

/// The numbers of all leaves leaf_coder::rest of one type in a block, one after the other: those of
/// earlier tensors first, within a program as it is written, from left to right.
struct shared_stream {
  dtype type = dtype::bytes;
  leaf_coder coder = leaf_coder::raw;  ///< not rest
  std::span<const std::byte> payload;
  std::shared_ptr<const std::vector<std::byte>> owner;
};

/// A stream that owns its bytes.
shared_stream make_stream(dtype type, leaf_coder coder, std::vector<std::byte> payload);

/// What a payload of the codec says: the tensors whose bytes, one after the other, are the plain
/// bytes, and the program of each. A program's result has its tensor's type and as many numbers.
struct block_program {
  std::vector<tensor_type> tensors;
  std::vector<node> programs;
  std::vector<shared_stream> streams;  ///< at most one of a type
};

// Builders, one an operator. Each throws error(internal) if the type rule is not kept; `earlier`
// are the types of the tensors of the block before the one that is described. Types are of whole
// bytes except in leaf, reference, ulp, delta and view. "Real" types are the integers, booleans (0
// and 1) and floating-point numbers but complex ones, of whole bytes; e8m0 is not among them.

/// Numbers coded by `coder`, which is not rest.
node leaf(const tensor_type& type, leaf_coder coder, std::vector<std::byte> payload);

/// The next numbers of the shared stream.
node rest(const tensor_type& type);

/// The same number everywhere, of at most 8 bytes, given as its bits.
node constant(const tensor_type& type, std::uint64_t bits);

/// first + i * step: of integers modulo their bits; of floating-point numbers in binary64, product
/// and sum rounded, then rounded to the type. Both finite and not -0.
node ramp(const tensor_type& type, std::int64_t first, std::int64_t step);
node ramp(const tensor_type& type, double first, double step);

/// x, n times one after the other; n is 1 or more.
node tile(node x, std::uint64_t n);

/// Every run of `inner` numbers of x n times: a new dimension of n outside those of `inner`.
node broadcast(node x, std::uint64_t n, std::uint64_t inner);

/// x0 y0 x1 y1 …
node interleave(node x, node y);

/// A matrix that is `inside` where low <= column - row <= high, `outside` elsewhere; both as bits.
node band(dtype type, std::uint64_t rows, std::uint64_t columns, std::int64_t low,
          std::int64_t high, std::uint64_t inside, std::uint64_t outside);

/// An earlier tensor.
node reference(std::span<const tensor_type> earlier, std::uint64_t index);

/// Rows of an earlier tensor, each of `width` numbers, those that `which` numbers (of an integer
/// type).
node rows(std::span<const tensor_type> earlier, std::uint64_t index, std::uint64_t width,
          node which);

/// A part of an earlier tensor taken as a matrix of `columns`.
node block(std::span<const tensor_type> earlier, std::uint64_t index, std::uint64_t columns,
           std::uint64_t first_row, std::uint64_t first_column, std::uint64_t height,
           std::uint64_t width);

/// The parts one after the other, of one type each; with `outer` more than 1, that many times a
/// run of each part (side by side as matrices of `outer` rows). At least one part.
node concat(std::vector<node> parts, std::uint64_t outer = 1);

/// x as [any, rows, columns, inner] with rows and columns exchanged.
node transpose(node x, std::uint64_t rows, std::uint64_t columns, std::uint64_t inner = 1);

/// x as [any, n, inner] with the order of n turned round.
node reverse(node x, std::uint64_t n, std::uint64_t inner = 1);

/// Floating-point numbers (real or complex) with the other sign bit; integers modulo their bits.
node negate(node x);

/// x times 2^power, |power| <= 4096, of real floating-point types, rounded to the nearest number
/// (to even); numbers that are none stay as they are.
node scale2(node x, std::int64_t power);

/// Numbers of a real type as another. Among f16, bf16, f32 and f64 as codec/delta/cast.h does;
/// others by way of binary64, rounded (to even) to what floating-point types can hold, else to the
/// nearest integer of the type, no number to 0. From integer to integer modulo the bits.
node cast(dtype type, node x);

/// scale * number, the product rounded once: number i with scale (i / inner) mod their count.
/// Scales are of a real floating-point type and give that of the result; numbers are integers of 8
/// or 16 bits or 8-bit floating-point numbers. The scales' count times `inner` divides the
/// numbers' count.
node grid(node scales, node numbers, std::uint64_t inner);

/// values[index]; indices are u8, u16 or u32.
node palette(node values, node indices);

/// `fill` (as bits, at most 8 bytes) where the bit of `bitmap` (u8, lowest bits first, as many
/// bytes as the result's numbers need) is 0, else the next of `values`.
node sparse(const tensor_type& type, node bitmap, node values, std::uint64_t fill = 0);

/// A formula of formulas.h; the last dimension of `type` is a row. Rounded to the type as cast()
/// does from binary64, but to the floating-point types once.
node formula(const tensor_type& type, unsigned id, const std::vector<double>& parameters);

/// x with the differences that codec/delta/delta_codec.h decodes from `payload`.
node ulp(node x, std::vector<std::byte> payload);

/// The same with an earlier tensor, which may have another type that can be its base there.
node delta(const tensor_type& type, std::span<const tensor_type> earlier, std::uint64_t index,
           std::vector<std::byte> payload);

/// x + y: real floating-point types rounded once, integers modulo their bits.
node add(node x, node y);

/// The bytes of x as numbers of another type.
node view(const tensor_type& type, node x);

/// The name in the textual form, such as "tile"; of leaves by their coder, such as "zstd".
std::string_view name_of(op what) noexcept;
std::string_view name_of(leaf_coder coder) noexcept;

/// Nodes of a program, and nodes on its longest path.
std::size_t count_nodes(const node& program) noexcept;
std::size_t depth_of(const node& program) noexcept;

}  // namespace lmzip::codec::brevis
