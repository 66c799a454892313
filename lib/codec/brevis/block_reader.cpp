#include <algorithm>
#include <array>
#include <memory>

#include "codec/brevis/block_payload.h"
#include "codec/brevis/evaluator.h"
#include "codec/brevis/operand.h"
#include "codec/brevis/program_reader.h"

namespace lmzip::codec::brevis {
namespace {

/// Calls `read`; what ends too early is damaged.
template <class Read>
auto total(Read read) {
  try {
    return read();
  } catch (const error& fault) {
    if (fault.code() != errc::truncated) throw;
    throw error(errc::damaged, "programs of tensors end too early");
  }
}

using stream_bytes = std::array<std::uint64_t, dtype_count>;

void count_rest(const node& program, stream_bytes& bytes) {
  if (program.what == op::leaf &&
      program.literals[0] == static_cast<std::uint64_t>(leaf_coder::rest))
    bytes[static_cast<unsigned>(program.result.type)] += program.result.bytes();
  for (const node& part : program.parts) count_rest(part, bytes);
}

/// Streams decoded whole.
class decoded_streams final : public rest_source {
 public:
  decoded_streams(std::span<const shared_stream> streams, const stream_bytes& bytes) {
    for (const shared_stream& stream : streams) {
      const auto type = static_cast<unsigned>(stream.type);
      const auto size = static_cast<std::size_t>(bytes[type]);
      parts_[type].numbers = std::make_unique_for_overwrite<std::byte[]>(size);
      parts_[type].left = {parts_[type].numbers.get(), size};
      decode_numbers(stream.coder, stream.type, stream.payload, {parts_[type].numbers.get(), size});
    }
  }

  void take(dtype type, std::span<std::byte> to) override {
    auto& left = parts_[static_cast<unsigned>(type)].left;
    if (left.size() < to.size()) throw error(errc::damaged, "a stream has too few numbers");
    std::copy_n(left.begin(), to.size(), to.begin());
    left = left.subspan(to.size());
  }

 private:
  struct part {
    std::unique_ptr<std::byte[]> numbers;
    std::span<const std::byte> left;
  };
  std::array<part, dtype_count> parts_;
};

void decode_all(std::span<const std::byte> coded, std::span<std::byte> plain) {
  cursor in(coded);
  const auto tensors = read_tensors(in);
  std::uint64_t sum = 0;
  for (const tensor_type& type : tensors) {
    if (type.bytes() > plain.size() - sum)
      throw error(errc::damaged, "tensors of a block are larger than it");
    sum += type.bytes();
  }
  if (sum != plain.size()) throw error(errc::damaged, "tensors of a block are smaller than it");
  const auto known_types = [&](std::size_t i) { return std::span(tensors).first(i); };
  // First what the streams hold, which stand behind all programs.
  cursor programs(coded);
  programs.bytes(in.position());
  stream_bytes bytes{};
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const node program = read_program(in, tensors[i], known_types(i));
    if (evaluation_memory(program) > max_block_memory(plain.size()))
      throw error(errc::damaged, "a program needs too much memory");
    count_rest(program, bytes);
  }
  std::uint64_t left = plain.size();  // for the streams of all types together
  for (const std::uint64_t b : bytes) {
    if (b > left) throw error(errc::damaged, "streams are larger than their block");
    left -= b;
  }
  decoded_streams streams(read_streams(in), bytes);
  std::vector<known_tensor> known;
  known.reserve(tensors.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const node program = read_program(programs, tensors[i], known_types(i));
    const auto out = plain.subspan(at, static_cast<std::size_t>(tensors[i].bytes()));
    environment around{known, &streams};
    evaluate(program, around, out);
    known.push_back({tensors[i], out});
    at += out.size();
  }
}

}  // namespace

block_program read_block(std::span<const std::byte> coded) {
  return total([&] {
    cursor in(coded);
    block_program block;
    block.tensors = read_tensors(in);
    for (std::size_t i = 0; i < block.tensors.size(); ++i)
      block.programs.push_back(
          read_program(in, block.tensors[i], std::span(block.tensors).first(i)));
    block.streams = read_streams(in);
    return block;
  });
}

void decode_block(std::span<const std::byte> coded, std::span<std::byte> plain) {
  total([&] { decode_all(coded, plain); });
}

std::uint64_t decoding_memory(std::uint64_t plain_bytes) noexcept {
  // The streams, what decoding one of them takes, and what programs take (max_block_memory).
  return 4 * plain_bytes + (std::uint64_t{2} << 20);
}

std::uint64_t max_block_memory(std::uint64_t plain_bytes) noexcept {
  return 2 * plain_bytes + (std::uint64_t{1} << 18);
}

std::uint64_t max_work(std::uint64_t tensor_bytes) noexcept {
  return 64 * tensor_bytes + (std::uint64_t{1} << 16);
}

}  // namespace lmzip::codec::brevis
