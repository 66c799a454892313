#include "codec/brevis/program_reader.h"

#include "codec/brevis/payload_fields.h"
#include "codec/brevis/text_form.h"
#include "codec/brevis/type_rules.h"

namespace lmzip::codec::brevis {
namespace {

class reader {
 public:
  reader(cursor& in, std::span<const tensor_type> earlier) : in_(in), earlier_(earlier) {}

  node read(const tensor_type& wanted, std::size_t depth) {
    if (++nodes_ > max_nodes || depth > max_depth)
      throw error(errc::damaged, "a program is too long or too deep");
    node whole;
    whole.result = wanted;
    const unsigned code = in_.u8();
    if (code >= leaf_mark) {
      whole.what = op::leaf;
      whole.literals.push_back(code - leaf_mark);
    } else {
      if (code == 0 || code >= op_count) throw error(errc::damaged, "an operator is unknown");
      whole.what = static_cast<op>(code);
      read_literals(whole);
    }
    if (takes_payload(whole)) {
      const std::uint64_t bytes = read_count(in_);
      if (bytes > in_.remaining()) throw error(errc::truncated, "a program ends too early");
      whole.payload = in_.bytes(static_cast<std::size_t>(bytes));
    }
    for (const tensor_type& part : part_types(whole, earlier_))
      whole.parts.push_back(read(part, depth + 1));
    return whole;
  }

 private:
  std::uint64_t read_literal(literal_kind kind, const node& whole) {
    switch (kind) {
      case literal_kind::offset:
        return unfold(read_count(in_));
      case literal_kind::real:
        return in_.u64();
      case literal_kind::number:
        return is_real_float(whole.result.type) ? in_.u64() : unfold(read_count(in_));
      default:
        return read_count(in_);
    }
  }

  void read_literals(node& whole) {
    for (const literal_kind kind : fixed_literals(whole.what))
      whole.literals.push_back(read_literal(kind, whole));
    const std::size_t further = further_literals(whole.what, whole.literals);
    if (further > in_.remaining()) throw error(errc::truncated, "a program ends too early");
    for (std::size_t i = 0; i < further; ++i)
      whole.literals.push_back(read_literal(further_kind(whole.what), whole));
  }

  cursor& in_;
  std::span<const tensor_type> earlier_;
  std::size_t nodes_ = 0;
};

}  // namespace

node read_program(cursor& in, const tensor_type& wanted, std::span<const tensor_type> earlier) {
  node program = reader(in, earlier).read(wanted, 1);
  check_program(program, wanted, earlier);
  return program;
}

std::vector<tensor_type> read_tensors(cursor& in) {
  const std::uint64_t count = read_count(in);
  if (count == 0 || count > max_tensors) throw error(errc::damaged, "a block has too many tensors");
  std::vector<tensor_type> tensors;
  while (tensors.size() < count) {
    const unsigned code = in.u8();
    if (code == same_type && !tensors.empty()) {
      tensors.push_back(tensors.back());
      continue;
    }
    if (code >= dtype_count) throw error(errc::damaged, "a tensor has an unknown type");
    const std::uint64_t rank = read_count(in);
    if (rank > max_rank) throw error(errc::damaged, "a tensor has too many axes");
    tensor_type type{static_cast<dtype>(code), {}};
    for (std::uint64_t i = 0; i < rank; ++i) type.shape.push_back(read_count(in));
    if (!valid(type)) throw error(errc::damaged, "a tensor has an impossible shape");
    tensors.push_back(std::move(type));
  }
  return tensors;
}

std::vector<shared_stream> read_streams(cursor& in) {
  const std::uint64_t count = read_count(in);
  if (count > dtype_count) throw error(errc::damaged, "a block has too many streams");
  std::vector<shared_stream> streams;
  while (streams.size() < count) {
    shared_stream stream;
    const unsigned type = in.u8(), coder = in.u8();
    if (type >= dtype_count ||
        (!streams.empty() && type <= static_cast<unsigned>(streams.back().type)))
      throw error(errc::damaged, "a stream has an impossible type");
    if (coder >= static_cast<unsigned>(leaf_coder::rest))
      throw error(errc::damaged, "a stream has an unknown coder");
    stream.type = static_cast<dtype>(type);
    stream.coder = static_cast<leaf_coder>(coder);
    const std::uint64_t bytes = read_count(in);
    if (bytes > in.remaining()) throw error(errc::truncated, "a stream ends too early");
    stream.payload = in.bytes(static_cast<std::size_t>(bytes));
    streams.push_back(std::move(stream));
  }
  if (in.remaining() != 0) throw error(errc::damaged, "something follows the streams of a block");
  return streams;
}

}  // namespace lmzip::codec::brevis
