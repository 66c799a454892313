// Codec 9: blocks against tensors from outside the archive.

#include "codec/delta/delta_block.h"

#include <doctest/doctest.h>

#include <map>

#include "base_support.h"
#include "codec/delta/cast.h"
#include "core/endian.h"

using namespace lmzip;
using namespace lmzip::test;
namespace delta = lmzip::codec::delta;

namespace {

/// Tensors by their hashes.
class fixed_tensors final : public codec::base_tensors {
 public:
  hash256 add(bytes content) {
    const hash256 hash = sha256_of(content);
    tensors_[hash] = std::move(content);
    return hash;
  }

  void read(const hash256& tensor, std::uint64_t tensor_bytes, std::uint32_t, std::uint64_t offset,
            std::span<std::byte> out) override {
    const auto found = tensors_.find(tensor);
    if (found == tensors_.end() || found->second.size() != tensor_bytes)
      throw error(errc::missing, "no such tensor");
    REQUIRE(offset <= tensor_bytes);
    REQUIRE(out.size() <= tensor_bytes - offset);
    std::copy_n(found->second.begin() + static_cast<std::ptrdiff_t>(offset), out.size(),
                out.begin());
  }

 private:
  std::map<hash256, bytes> tensors_;
};

bytes decoded(const codec::encoded& code, std::size_t plain_bytes, codec::base_tensors* base) {
  bytes plain(plain_bytes);
  CHECK(codec::delta_decoder_v0.memory(code.how.parameters, plain_bytes) <=
        delta::block_decoding_memory(plain_bytes));
  codec::delta_decoder_v0.decode(code.how.parameters, code.coded, plain, {nullptr, base});
  return plain;
}

/// Three tensors, of which a block holds the end of the first, the second, numbers without a base,
/// and the third in another type.
struct sample {
  fixed_tensors base;
  std::vector<delta::segment> segments;
  bytes base_numbers, plain;

  sample() {
    add_tensor(weights(500, 1), 100, 400);
    add_tensor(weights(64, 2), 0, 64);
    segments.push_back({.plain_bytes = 40, .base = std::nullopt});
    base_numbers.resize(base_numbers.size() + 40);
    add_cast(weights(100, 3));
    plain = base_numbers;
    for (std::size_t i = 0; i < plain.size(); i += 4) plain[i] ^= std::byte{3};
  }

  void add_tensor(const std::vector<float>& numbers, std::size_t first, std::size_t count) {
    const bytes all = bytes_of(numbers);
    segments.push_back({.plain_bytes = static_cast<std::uint32_t>(4 * count),
                        .base = delta::tensor_part{.type = dtype::f32,
                                                   .tensor = base.add(all),
                                                   .tensor_bytes = all.size(),
                                                   .hint = 7,
                                                   .offset = 4 * first}});
    base_numbers.insert(base_numbers.end(), all.begin() + static_cast<std::ptrdiff_t>(4 * first),
                        all.begin() + static_cast<std::ptrdiff_t>(4 * (first + count)));
  }

  void add_cast(const std::vector<float>& numbers) {
    const bytes all = bytes_of(numbers);
    bytes halves(all.size() / 2), again(all.size());
    delta::cast(dtype::f32, all.data(), numbers.size(), dtype::bf16, halves.data());
    delta::cast(dtype::bf16, halves.data(), numbers.size(), dtype::f32, again.data());
    segments.push_back({.plain_bytes = static_cast<std::uint32_t>(again.size()),
                        .base = delta::tensor_part{.type = dtype::bf16,
                                                   .tensor = base.add(halves),
                                                   .tensor_bytes = halves.size(),
                                                   .hint = 0,
                                                   .offset = 0}});
    base_numbers.insert(base_numbers.end(), again.begin(), again.end());
  }

  codec::encoded encoded(delta::relation how = delta::relation::difference) const {
    return delta::encode_block(dtype::f32, segments, how, base_numbers, plain);
  }
};

/// A valid payload of one whole f32 tensor of 16 bytes that is equal.
bytes small_payload(const hash256& tensor) {
  bytes payload{std::byte{1}, std::byte{0}, std::byte{12 | 32}};
  payload.resize(7);
  store_le(payload.data() + 3, std::uint32_t{16});
  payload.insert(payload.end(), tensor.begin(), tensor.end());
  payload.resize(payload.size() + 4);
  return payload;
}

}  // namespace

TEST_CASE("blocks of several segments come back, as differences and as references") {
  sample s;
  CHECK(decoded(s.encoded(), s.plain.size(), &s.base) == s.plain);
  s.plain = s.base_numbers;
  const codec::encoded cast = s.encoded(delta::relation::cast);
  CHECK(cast.coded.size() < 300);
  CHECK(decoded(cast, s.plain.size(), &s.base) == s.plain);
  s.segments.resize(2);
  s.base_numbers.resize(4 * 464);
  s.plain = s.base_numbers;
  CHECK(decoded(s.encoded(delta::relation::equal), s.plain.size(), &s.base) == s.plain);
}

TEST_CASE("a block without a base, or with another one, is missing something") {
  sample s;
  const codec::encoded code = s.encoded();
  CHECK(failure_of([&] { decoded(code, s.plain.size(), nullptr); }) == errc::missing);
  fixed_tensors other;
  CHECK(failure_of([&] { decoded(code, s.plain.size(), &other); }) == errc::missing);
}

TEST_CASE("parameters that no encoder writes are damage") {
  sample s;
  codec::encoded code = s.encoded();
  for (const std::uint32_t parameters : {0x300u | 12, dtype_count + 0x200u, 0x10200u, ~0u}) {
    code.how.parameters = parameters;
    CHECK(failure_of([&] { decoded(code, s.plain.size(), &s.base); }) == errc::damaged);
  }
  CHECK(codec::delta_decoder_v0.describe(12) == "F32, equal to the base");
  CHECK(codec::delta_decoder_v0.describe(0x100 | 11) == "BF16, the base in another type");
  CHECK(codec::delta_decoder_v0.describe(0x200 | 11) == "BF16");
}

TEST_CASE("payloads that no encoder writes are damage") {
  fixed_tensors base;
  const bytes plain = random_bytes(16);
  const hash256 hash = base.add(plain);
  const bytes payload = small_payload(hash);
  const auto failure = [&](const bytes& coded, std::uint32_t parameters = 12,
                           std::size_t plain_bytes = 16) {
    return failure_of([&] {
      decoded({{codec::codec_id::delta, 0, parameters}, coded}, plain_bytes, &base);
    });
  };
  CHECK(failure(payload) == errc{0});
  for (std::size_t cut = 0; cut < payload.size(); ++cut) {
    CAPTURE(cut);
    CHECK(failure({payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(cut)}) ==
          errc::damaged);
  }
  bytes changed = payload;
  changed.push_back(std::byte{0});
  CHECK(failure(changed) == errc::damaged);  // too long
  CHECK(failure(payload, 12, 20) == errc::damaged);
  CHECK(failure(payload, 12, 12) == errc::damaged);
  const auto with = [&](std::size_t at, unsigned value) {
    bytes other = payload;
    other[at] = static_cast<std::byte>(value);
    return other;
  };
  CHECK(failure(with(0, 0)) == errc::damaged);         // no segment
  CHECK(failure(with(0, 2)) == errc::damaged);         // one more
  CHECK(failure(with(2, 12 | 128)) == errc::damaged);  // unknown flag
  CHECK(failure(with(2, 12 | 64)) == errc::damaged);   // zeros with a type
  CHECK(failure(with(2, 64)) == errc::damaged);        // equal to nothing
  CHECK(failure(with(2, 8 | 32)) == errc::damaged);    // cannot be cast
  CHECK(failure(with(2, 31 | 32)) == errc::damaged);   // no type
  CHECK(failure(with(2, 11 | 32)) == errc::damaged);   // equal, but of another type
  CHECK(failure(with(2, 12)) == errc::damaged);        // without size and offset
  CHECK(failure(with(3, 0)) == errc::damaged);         // empty
  CHECK(failure(with(3, 18)) == errc::damaged);        // part of a number
  CHECK(failure(with(9, 1)) == errc::missing);
}

TEST_CASE("a base that lies outside of its tensor is damage") {
  fixed_tensors base;
  const bytes plain = random_bytes(16);
  bytes payload = small_payload(base.add(plain));
  payload[2] = std::byte{12};
  payload.resize(payload.size() + 16);
  const auto failure = [&](std::uint64_t tensor_bytes, std::uint64_t offset) {
    store_le(payload.data() + payload.size() - 16, tensor_bytes);
    store_le(payload.data() + payload.size() - 8, offset);
    return failure_of([&] { decoded({{codec::codec_id::delta, 0, 12}, payload}, 16, &base); });
  };
  CHECK(failure(16, 0) == errc{0});
  CHECK(failure(16, 1) == errc::damaged);
  CHECK(failure(15, 0) == errc::damaged);
  CHECK(failure(17, 0) == errc::missing);
  CHECK(failure(~std::uint64_t{0}, ~std::uint64_t{0} - 16) == errc::missing);
  CHECK(failure(~std::uint64_t{0}, ~std::uint64_t{0}) == errc::damaged);
  CHECK(failure(16, ~std::uint64_t{0}) == errc::damaged);
}

TEST_CASE("a block is not coded against a base of another size") {
  sample s;
  s.base_numbers.pop_back();
  CHECK_THROWS_AS(s.encoded(), error);
}
