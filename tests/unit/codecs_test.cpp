// The codecs store, fill and zstd, and the registry.

#include <doctest/doctest.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "codec/codec.h"
#include "codec/codec_data.h"
#include "codec/fill/fill.h"
#include "codec/store/store.h"
#include "codec/zstd/repeat_probe.h"
#include "codec/zstd/zstd_codec.h"
#include "lmzip/error.h"

using namespace lmzip;
using namespace lmzip::codec;

namespace {

using bytes = std::vector<std::byte>;

bytes random_bytes(std::size_t count, unsigned seed = 1) {
  std::mt19937 generator(seed);
  bytes result(count);
  for (std::byte& b : result) b = static_cast<std::byte>(generator());
  return result;
}

bytes prose(std::size_t count, unsigned seed = 1) {
  static const char* const words[] = {"the ", "block ", "of ", "bytes ",  "that ", "follows, ",
                                      "is ",  "coded ", "by ", "itself ", "and ",  "checked.\n"};
  std::mt19937 generator(seed);
  std::string text;
  while (text.size() < count) text += words[generator() % std::size(words)];
  const auto all = std::as_bytes(std::span(text).first(count));
  return {all.begin(), all.end()};
}

bytes periodic(std::size_t count, std::size_t period) {
  const bytes once = random_bytes(period, 7);
  bytes result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = once[i % period];
  return result;
}

bytes decoded(const encoded& code, std::size_t plain_bytes) {
  const decoder* how = find_decoder(code.how.codec, code.how.version);
  REQUIRE(how != nullptr);
  how->memory(code.how.parameters, plain_bytes);
  bytes plain(plain_bytes, std::byte{0xee});
  how->decode(code.how.parameters, code.coded, plain);
  return plain;
}

errc failure(const decoder& how, const bytes& coded, std::size_t plain_bytes) {
  bytes plain(plain_bytes);
  try {
    how.decode(1, coded, plain);
  } catch (const error& cause) {
    return cause.code();
  }
  return errc{0};
}

// A frame like our own, and the same with one parameter of zstd changed.
bytes frame(const bytes& plain, ZSTD_cParameter changed = ZSTD_c_compressionLevel, int value = 1) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  ZSTD_CCtx_setParameter(context, changed, value);
  bytes coded(ZSTD_compressBound(plain.size()));
  coded.resize(ZSTD_compress2(context, coded.data(), coded.size(), plain.data(), plain.size()));
  ZSTD_freeCCtx(context);
  return coded;
}

}  // namespace

TEST_CASE("the registry knows its codecs and no others") {
  for (const codec_id id : {codec_id::store, codec_id::fill, codec_id::zstd}) {
    REQUIRE(find_decoder(id, 0) != nullptr);
    CHECK(find_decoder(id, 0)->codec == id);
    CHECK(find_decoder(id, 1) == nullptr);
    CHECK_FALSE(needs_codec_data(id));
  }
  CHECK(find_decoder(static_cast<codec_id>(200), 0) == nullptr);
  CHECK(find_decoder(codec_id::store, 0)->name == "store");
}

TEST_CASE("a stored block is its bytes, and both sizes must be equal") {
  for (const std::size_t size : {0, 1, 2, 1000}) {
    const bytes plain = random_bytes(size);
    CHECK(decoded(store_block(plain), size) == plain);
  }
  CHECK(failure(store_decoder_v0, bytes(5), 4) == errc::damaged);
  CHECK(failure(store_decoder_v0, bytes(4), 5) == errc::damaged);
  CHECK_THROWS_AS(store_decoder_v0.memory(1, 10), error);
}

TEST_CASE("every period up to the longest is found, at every length") {
  for (std::size_t period = 1; period <= max_fill_period; ++period) {
    for (const std::size_t count : {2 * period, 2 * period + 1, 500 + period, std::size_t{70000}}) {
      const bytes plain = periodic(count, period);
      REQUIRE(find_period(plain) == period);
      const auto code = fill_block(plain);
      REQUIRE(code);
      CHECK(code->coded.size() == period);
      CHECK(decoded(*code, count) == plain);
    }
  }
}

TEST_CASE("a period is found for one byte and for equal bytes, not for none or a longer one") {
  CHECK(find_period({}) == 0);
  CHECK(find_period(bytes(1)) == 1);
  CHECK(find_period(bytes(2)) == 1);
  CHECK(find_period(periodic(2, 2)) == 0);
  CHECK(find_period(periodic(130, 65)) == 0);
  CHECK(find_period(random_bytes(1000)) == 0);
}

TEST_CASE("one changed byte anywhere is no fill") {
  for (const std::size_t period : {1, 3, 8, 64}) {
    const bytes plain = periodic(1000, period);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      bytes changed = plain;
      changed[i] ^= std::byte{1};
      // Where only the last, partial repetition differs there is no period either.
      REQUIRE(find_period(changed) == 0);
    }
  }
}

TEST_CASE("a fill block with an impossible period is rejected") {
  CHECK(failure(fill_decoder_v0, {}, 10) == errc::damaged);
  CHECK(failure(fill_decoder_v0, bytes(65), 1000) == errc::damaged);
  CHECK(failure(fill_decoder_v0, bytes(5), 4) == errc::damaged);
  CHECK_THROWS_AS(fill_decoder_v0.memory(1, 10), error);
}

TEST_CASE("zstd gives back what it got, at all levels and sizes") {
  for (const int level : {1, 3, 9}) {
    const auto coder = make_zstd_encoder(level);
    for (const std::size_t size : {1, 2, 3, 255, 256, 4096, 65535, 65536, 1 << 20, (3 << 20) + 7}) {
      const bytes plain = prose(size);
      const encoded code = coder->encode(plain);
      CHECK(code.how.parameters == static_cast<std::uint32_t>(level));
      CHECK(decoded(code, size) == plain);
      if (size >= 4096) CHECK(code.coded.size() < size / 2);
    }
    const bytes noise = random_bytes(100000);
    CHECK(decoded(coder->encode(noise), noise.size()) == noise);
    CHECK(zstd_decoder_v0.describe(static_cast<std::uint32_t>(level)) ==
          "level " + std::to_string(level));
  }
  CHECK_THROWS_AS(make_zstd_encoder(2), error);
}

TEST_CASE("zstd's estimate is what it makes of the sample") {
  const auto coder = make_zstd_encoder(3);
  for (const std::size_t size : {100, 100000}) {
    const bytes sample = prose(size);
    CHECK(coder->estimate(sample).coded_bytes == coder->encode(sample).coded.size());
  }
}

TEST_CASE("distant copies of random bytes are found by zstd") {
  bytes plain = random_bytes(6 << 20);
  CHECK(looks_incompressible(plain));
  CHECK(distant_repeats(plain, 256 << 10) == 0);
  std::copy(plain.begin(), plain.begin() + (2 << 20), plain.begin() + (3 << 20) + 4567);
  CHECK(distant_repeats(plain, 256 << 10) > 200);
  CHECK_FALSE(looks_incompressible(plain));
  const encoded code = make_zstd_encoder(1)->encode(plain);
  CHECK(code.coded.size() < (4 << 20) + 100000);
  CHECK(decoded(code, plain.size()) == plain);
}

TEST_CASE("repeats are counted within bounds on constant and short blocks") {
  CHECK(distant_repeats({}, 256 << 10) == 0);
  CHECK(distant_repeats(bytes(4096), 256 << 10) == 0);
  CHECK(distant_repeats(bytes(8 << 20), 256 << 10) <= 1000);
  CHECK_FALSE(looks_incompressible({}));
  CHECK_FALSE(looks_incompressible(random_bytes(4096)));
  CHECK_FALSE(looks_incompressible(prose(5 << 20)));
}

TEST_CASE("zstd keeps to the memory it states") {
  for (const int level : {1, 3, 9}) {
    for (const std::size_t size : {std::size_t{5000}, std::size_t{300000}, std::size_t{16} << 20}) {
      bytes plain = prose(size);
      // So that long-distance matching is on at every level.
      std::copy_n(plain.begin(), size / 3, plain.end() - static_cast<std::ptrdiff_t>(size / 3));
      ZSTD_CCtx* const context = ZSTD_createCCtx();
      ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
      ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching, 1);
      int log = 10;
      while ((std::size_t{1} << log) < size) ++log;
      ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, log);
      bytes coded(ZSTD_compressBound(size));
      coded.resize(ZSTD_compress2(context, coded.data(), coded.size(), plain.data(), size));
      CHECK(ZSTD_sizeof_CCtx(context) + ZSTD_compressBound(size) <=
            make_zstd_encoder(level)->memory(size));
      ZSTD_freeCCtx(context);

      ZSTD_DCtx* const reader = ZSTD_createDCtx();
      ZSTD_decompressDCtx(reader, plain.data(), size, coded.data(), coded.size());
      CHECK(ZSTD_sizeof_DCtx(reader) <=
            zstd_decoder_v0.memory(static_cast<std::uint32_t>(level), size));
      ZSTD_freeDCtx(reader);
    }
  }
}

TEST_CASE("a zstd block that is not exactly one plain frame is rejected") {
  const bytes plain = prose(5000);
  const bytes good = frame(plain);
  CHECK(failure(zstd_decoder_v0, good, plain.size()) == errc{0});

  CHECK(failure(zstd_decoder_v0, {}, plain.size()) == errc::damaged);
  for (std::size_t cut = 1; cut < good.size(); ++cut) {
    const bytes short_one(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(cut));
    REQUIRE(failure(zstd_decoder_v0, short_one, plain.size()) == errc::damaged);
  }
  CHECK(failure(zstd_decoder_v0, good, plain.size() - 1) == errc::damaged);
  CHECK(failure(zstd_decoder_v0, good, plain.size() + 1) == errc::damaged);

  bytes trailing = good;
  trailing.push_back(std::byte{0});
  CHECK(failure(zstd_decoder_v0, trailing, plain.size()) == errc::damaged);
  bytes two = good;
  two.insert(two.end(), good.begin(), good.end());
  CHECK(failure(zstd_decoder_v0, two, 2 * plain.size()) == errc::damaged);
  bytes skippable = {std::byte{0x50}, std::byte{0x2a}, std::byte{0x4d}, std::byte{0x18},
                     std::byte{0},    std::byte{0},    std::byte{0},    std::byte{0}};
  CHECK(failure(zstd_decoder_v0, skippable, 1) == errc::damaged);

  CHECK(failure(zstd_decoder_v0, frame(plain, ZSTD_c_checksumFlag, 1), plain.size()) ==
        errc::damaged);
  CHECK(failure(zstd_decoder_v0, frame(plain, ZSTD_c_contentSizeFlag, 1), plain.size()) ==
        errc::damaged);
  bytes wide = good;
  wide[5] = std::byte{20 << 3};  // a window of 1 GiB
  CHECK(failure(zstd_decoder_v0, wide, plain.size()) == errc::damaged);
  CHECK_THROWS_AS(zstd_decoder_v0.memory(0, 10), error);
  CHECK_THROWS_AS(zstd_decoder_v0.memory(23, 10), error);
}

TEST_CASE("no changed bit of a zstd block does more than fail or give wrong bytes") {
  const bytes plain = prose(3000);
  const bytes good = frame(plain);
  for (std::size_t i = 0; i < good.size() * 8; ++i) {
    bytes changed = good;
    changed[i / 8] ^= static_cast<std::byte>(1 << (i % 8));
    const errc result = failure(zstd_decoder_v0, changed, plain.size());
    CHECK((result == errc::damaged || result == errc{0}));
  }
}
