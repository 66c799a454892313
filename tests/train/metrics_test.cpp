#include "app/train/metrics.h"

#include <doctest/doctest.h>

#include <cmath>

#include "app/lmzip/names.h"

using namespace lmzip;
using namespace lmzip::train;
using doctest::Approx;

TEST_CASE("ratios and bits are those that one computes by hand") {
  CHECK(compression_ratio(1000, 250) == Approx(4));
  CHECK(compression_ratio(1000, 0) == 0);
  CHECK(bits_per(250, 1000) == Approx(2));
  CHECK(bits_per(250, 800) == Approx(2.5));
  CHECK(bits_per(250, 0) == 0);
  CHECK(reconstruction_accuracy(999, 1000) == Approx(0.999));
}

TEST_CASE("entropy, perplexity and divergence are those of their definitions") {
  // Four tokens with the chances 1/2, 1/4, 1/4 and 1/8, out of distributions over 16 leaves: two
  // with an entropy of 1 bit, and two of 3 bits.
  const double bit = std::log(2.0);
  const chance_sums sums{4, (1 + 2 + 2 + 3) * bit, (1 + 1 + 3 + 3) * bit};
  CHECK(sums.cross_entropy() == Approx(2 * bit));
  CHECK(sums.bits_per_token() == Approx(2));
  CHECK(sums.perplexity() == Approx(4));
  CHECK(sums.divergence_from_uniform(16) == Approx(2 * bit));
  CHECK(loss_percent({4, 8.08 * bit, 0}, sums) == Approx(1));
  CHECK(loss_percent(sums, sums) == Approx(0));
}

TEST_CASE("sums of texts are those of all their tokens") {
  chance_sums all{4, 8, 2};
  all += {1, 2, 3};
  CHECK(all.cross_entropy() == Approx(2));
  CHECK(all.entropy_nats == Approx(5));
  coding_result coded{10, 4, 20, 1, 2, 0.5, 1.5};
  coded += {5, 1, 7, 1, 1, 0.25, 0.25};
  CHECK(coded.coded_bytes == 15);
  CHECK(coded.coded_tokens == 5);
  CHECK(coded.equal_bytes == 27);
  CHECK(coded.encode_seconds == Approx(2));
  CHECK(coded.decode_seconds == Approx(3));
  CHECK(coded.encode_network_seconds == Approx(0.75));
  CHECK(coded.decode_network_seconds == Approx(1.75));
  text_size size{1, 2, 3};
  size += {10, 20, 30};
  CHECK(size.bytes == 11);
  CHECK(size.characters == 22);
  CHECK(size.tokens == 33);
}

TEST_CASE("characters are code points, and bytes that are part of none") {
  CHECK(app::count_characters("") == 0);
  CHECK(app::count_characters("abc\n") == 4);
  CHECK(app::count_characters("\u00fc\u20ac\U0001f600") == 3);
  CHECK(app::count_characters("a\xff\xfe"
                              "b") == 4);
  CHECK(app::count_characters("\xe2\x82") == 2);      // cut
  CHECK(app::count_characters("\xc0\xaf") == 2);      // too long
  CHECK(app::count_characters("\xed\xa0\x80") == 3);  // a surrogate
}
