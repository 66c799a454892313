#include <algorithm>
#include <cstring>

#include "codec/brevis/operand.h"

namespace lmzip::codec::brevis {
namespace {

std::size_t size_of(std::uint64_t count) noexcept { return static_cast<std::size_t>(count); }

void tile(const node& whole, environment& known, std::span<std::byte> out) {
  std::size_t filled = out.size() / size_of(whole.literals[0]);
  evaluate(whole.parts[0], known, out.first(filled));
  // What is filled holds whole copies, so it can be copied behind itself.
  while (filled < out.size()) {
    const std::size_t count = std::min(filled, out.size() - filled);
    std::memcpy(out.data() + filled, out.data(), count);
    filled += count;
  }
}

void broadcast(const node& whole, environment& known, std::span<std::byte> out) {
  const operand x(whole.parts[0], known);
  const std::uint64_t n = whole.literals[0];
  const std::size_t run = size_of(whole.literals[1]) * bytes_of(whole.result.type);
  std::byte* to = out.data();
  for (std::size_t at = 0; at < x.bytes().size(); at += run)
    for (std::uint64_t i = 0; i < n; ++i, to += run) std::memcpy(to, x.data() + at, run);
}

/// Copies `count` runs of `run` bytes, from ones `from_step` apart to ones `to_step` apart.
void copy_runs(const std::byte* from, std::size_t from_step, std::byte* to, std::size_t to_step,
               std::size_t run, std::size_t count) noexcept {
  const auto fixed = [&]<std::size_t Run>() {
    for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * to_step, from + i * from_step, Run);
  };
  switch (run) {
    case 1:
      return fixed.template operator()<1>();
    case 2:
      return fixed.template operator()<2>();
    case 4:
      return fixed.template operator()<4>();
    case 8:
      return fixed.template operator()<8>();
    default:
      for (std::size_t i = 0; i < count; ++i)
        std::memcpy(to + i * to_step, from + i * from_step, run);
  }
}

void interleave(const node& whole, environment& known, std::span<std::byte> out) {
  const std::size_t width = bytes_of(whole.result.type);
  const std::size_t count = size_of(whole.parts[0].result.elements());
  for (std::size_t i = 0; i < 2; ++i) {
    const operand x(whole.parts[i], known);
    copy_runs(x.data(), width, out.data() + i * width, 2 * width, width, count);
  }
}

void concat(const node& whole, environment& known, std::span<std::byte> out) {
  const std::size_t outer = size_of(whole.literals[0]);
  std::size_t at = 0;
  for (const node& part : whole.parts) {
    const std::size_t run = size_of(part.result.bytes()) / outer;
    if (outer == 1) {
      evaluate(part, known, out.subspan(at, run));
    } else if (run != 0) {
      const operand x(part, known);
      copy_runs(x.data(), run, out.data() + at, out.size() / outer, run, outer);
    }
    at += run;
  }
}

/// One matrix of runs, by squares that fit the nearest cache.
void transpose_matrix(const std::byte* from, std::byte* to, std::size_t rows, std::size_t columns,
                      std::size_t run) noexcept {
  constexpr std::size_t side = 16;
  for (std::size_t row = 0; row < rows; row += side)
    for (std::size_t column = 0; column < columns; column += side)
      for (std::size_t c = column; c < std::min(columns, column + side); ++c)
        copy_runs(from + (row * columns + c) * run, columns * run, to + (c * rows + row) * run, run,
                  run, std::min(side, rows - row));
}

void transpose(const node& whole, environment& known, std::span<std::byte> out) {
  const operand x(whole.parts[0], known);
  const std::size_t rows = size_of(whole.literals[0]), columns = size_of(whole.literals[1]);
  const std::size_t run = size_of(whole.literals[2]) * bytes_of(whole.result.type);
  const std::size_t matrix = rows * columns * run;
  for (std::size_t at = 0; at < out.size(); at += matrix)
    transpose_matrix(x.data() + at, out.data() + at, rows, columns, run);
}

void reverse(const node& whole, environment& known, std::span<std::byte> out) {
  evaluate(whole.parts[0], known, out);
  const std::size_t n = size_of(whole.literals[0]);
  const std::size_t run = size_of(whole.literals[1]) * bytes_of(whole.result.type);
  for (std::size_t at = 0; at < out.size(); at += n * run)
    for (std::size_t i = 0; i < n / 2; ++i) {
      std::byte* const other = out.data() + at + (n - 1 - i) * run;
      std::swap_ranges(out.data() + at + i * run, out.data() + at + (i + 1) * run, other);
    }
}

}  // namespace

void evaluate_places(const node& whole, environment& known, std::span<std::byte> out) {
  // No loop below need think of runs of no length.
  if (out.empty()) return;
  switch (whole.what) {
    case op::tile:
      return tile(whole, known, out);
    case op::broadcast:
      return broadcast(whole, known, out);
    case op::interleave:
      return interleave(whole, known, out);
    case op::concat:
      return concat(whole, known, out);
    case op::transpose:
      return transpose(whole, known, out);
    default:
      return reverse(whole, known, out);
  }
}

}  // namespace lmzip::codec::brevis
