#include <algorithm>
#include <string>
#include <vector>

#include "codec/delta/cast.h"
#include "codec/delta/delta_block.h"
#include "codec/delta/delta_codec.h"
#include "codec/delta/delta_source.h"
#include "codec/delta/segment_list.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace delta {
namespace {

constexpr unsigned relation_shift = 8;

// Of a base that is cast, read at a time.
constexpr std::size_t cast_bytes = std::size_t{64} << 10;

struct block_parameters {
  dtype type;
  relation how;

  static block_parameters parse(std::uint32_t parameters) {
    const std::uint32_t type = parameters & 255, how = parameters >> relation_shift;
    if (type >= dtype_count || how > static_cast<std::uint32_t>(relation::difference))
      throw error(errc::damaged, "a block that no encoder of this codec writes");
    return {static_cast<dtype>(type), static_cast<relation>(how)};
  }
};

std::uint64_t memory(std::uint32_t parameters, std::uint64_t plain_bytes, const shared_model*) {
  block_parameters::parse(parameters);
  return block_decoding_memory(plain_bytes);
}

void read_base(const segment& s, dtype type, base_tensors& from, std::span<std::byte> to) {
  if (!s.base) {
    std::fill(to.begin(), to.end(), std::byte{0});
    return;
  }
  const tensor_part& part = *s.base;
  const auto read = [&](std::uint64_t at, std::span<std::byte> out) {
    from.read(part.tensor, part.tensor_bytes, part.hint, part.offset + at, out);
  };
  read_as(type, part.type, read, to);
}

/// Puts the base of a block together.
void read_segments(cursor& in, const block_parameters& p, base_tensors& from,
                   std::span<std::byte> base) {
  std::size_t done = 0;
  for (unsigned count = in.u16(); count > 0; --count) {
    const segment s = read_segment(in, p.type, base.size() - done);
    if (p.how == relation::equal && (!s.base || s.base->type != p.type))
      throw error(errc::damaged, "a base that is equal has another type");
    read_base(s, p.type, from, base.subspan(done, s.plain_bytes));
    done += s.plain_bytes;
  }
  if (done != base.size()) throw error(errc::damaged, "a base is smaller than its block");
}

void decode_payload(const block_parameters& p, cursor& in, base_tensors& from,
                    std::span<std::byte> plain) {
  if (p.how != relation::difference) {
    read_segments(in, p, from, plain);
    if (in.remaining() > 0) throw error(errc::damaged, "a reference is too long");
    return;
  }
  std::vector<std::byte> base(plain.size());
  read_segments(in, p, from, base);
  decode(in.bytes(in.remaining()), {p.type, base}, plain);
}

void decode_block(std::uint32_t parameters, std::span<const std::byte> coded,
                  std::span<std::byte> plain, const decoding_context& context) {
  const block_parameters p = block_parameters::parse(parameters);
  if (context.base == nullptr) throw error(errc::missing, "needs a base, and none was given");
  try {
    cursor in(coded);
    decode_payload(p, in, *context.base, plain);
  } catch (const error& e) {
    if (e.code() != errc::truncated) throw;
    throw error(errc::damaged, "a block against a base ends too early");
  }
}

std::string describe(std::uint32_t parameters) {
  const std::uint32_t type = parameters & 255;
  if (type >= dtype_count) return {};
  const std::string name(name_of(static_cast<dtype>(type)));
  switch (parameters >> relation_shift) {
    case static_cast<std::uint32_t>(relation::equal):
      return name + ", equal to the base";
    case static_cast<std::uint32_t>(relation::cast):
      return name + ", the base in another type";
    default:
      return name;
  }
}

}  // namespace

std::uint64_t base_bytes(dtype from, dtype to, std::uint64_t plain_bytes) noexcept {
  return from == to ? plain_bytes : plain_bytes / (bits_of(to) / 8) * (bits_of(from) / 8);
}

void read_as(dtype type, dtype from, const read_function& read, std::span<std::byte> numbers) {
  if (type == from) return read(0, numbers);
  const std::size_t bytes = bits_of(type) / 8, from_bytes = bits_of(from) / 8;
  std::vector<std::byte> piece(std::min(cast_bytes, numbers.size() / bytes * from_bytes));
  for (std::size_t done = 0; numbers.size() - done >= bytes;) {
    const std::size_t count = std::min(cast_bytes / from_bytes, (numbers.size() - done) / bytes);
    const auto wanted = std::span(piece).first(count * from_bytes);
    read(done / bytes * from_bytes, wanted);
    cast(from, wanted.data(), count, type, numbers.data() + done);
    done += count * bytes;
  }
}

segment read_segment(cursor& in, dtype type, std::uint64_t left) {
  const unsigned flags = in.u8(), base_type = flags & type_bits;
  segment s{.plain_bytes = in.u32(), .base = std::nullopt};
  if (s.plain_bytes == 0 || s.plain_bytes > left || s.plain_bytes % form_of(type).bytes != 0)
    throw error(errc::damaged, "a base has an impossible size");
  if (flags == zeros_bit) return s;
  if ((flags & ~(type_bits | whole_bit)) != 0 || base_type >= dtype_count ||
      !can_cast(static_cast<dtype>(base_type), type))
    throw error(errc::damaged, "a base has an impossible type");
  tensor_part part;
  part.type = static_cast<dtype>(base_type);
  const auto hash = in.bytes(part.tensor.size());
  std::copy(hash.begin(), hash.end(), part.tensor.begin());
  part.hint = in.u32();
  const std::uint64_t bytes = base_bytes(part.type, type, s.plain_bytes);
  part.tensor_bytes = (flags & whole_bit) != 0 ? bytes : in.u64();
  part.offset = (flags & whole_bit) != 0 ? 0 : in.u64();
  if (part.offset > part.tensor_bytes || bytes > part.tensor_bytes - part.offset)
    throw error(errc::damaged, "a base lies outside of its tensor");
  s.base = part;
  return s;
}

std::uint64_t block_decoding_memory(std::uint64_t plain_bytes) noexcept {
  return plain_bytes + cast_bytes + decoding_memory();
}

}  // namespace delta

const decoder delta_decoder_v0 = {
    codec_id::delta, 0, "delta", delta::memory, delta::decode_block, delta::describe,
    needs_no_model};

}  // namespace lmzip::codec
