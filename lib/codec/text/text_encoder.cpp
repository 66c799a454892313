#include <algorithm>
#include <bit>

#include "codec/model_file.h"
#include "codec/text/leaves.h"
#include "codec/text/text_codec.h"
#include "codec/text/text_parameters.h"
#include "codec/text/x86_filter.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace text {
namespace {

// Who lets encode() choose gets a choice by so much of the block.
constexpr std::size_t trial_bytes = std::size_t{48} << 10;

// Where tokens are long enough no trial is needed, nor where they are hardly longer than bytes
// (measured on the training text by language and kind).
constexpr std::uint64_t surely_tokens = 280;  // bytes in 100 tokens
constexpr std::uint64_t surely_bytes = 140;

// Records have no chance where most of the bytes are letters and blanks.
constexpr std::size_t surely_letters = 75;  // per cent

// Of a sample by which the network is judged.
constexpr std::size_t judged_network_bytes = std::size_t{8} << 10;

// Bytes are learned faster than tokens, so that a short trial flatters them.
constexpr std::uint64_t byte_handicap = 103;  // per cent

/// Lines a context for a block: enough for its symbols, within what the strength allows.
unsigned log2_lines_for(const text_parameters& p, std::uint64_t plain_bytes) {
  const std::uint64_t expected_symbols =
      p.kind == symbol_kind::tokens ? plain_bytes / 3 : plain_bytes;
  return std::clamp(static_cast<unsigned>(std::bit_width(expected_symbols)), min_log2_lines,
                    p.coder().max_log2_lines);
}

encoded encode_with(text_parameters p, std::span<const std::byte> plain,
                    const shared_model* model) {
  p.log2_lines = log2_lines_for(p, plain.size());
  std::vector<std::byte> filtered;
  if (p.x86) {
    filtered.assign(plain.begin(), plain.end());
    x86_forward(filtered);
    plain = filtered;
  }
  const auto leaves =
      p.kind == symbol_kind::tokens ? leaves_of_tokens(plain) : leaves_of_bytes(plain);
  return {{codec_id::text, 0, p.pack()}, p.coder().encode(p.setup(plain.size(), model), leaves)};
}

// The weakest strength is enough to tell the kinds apart, and what it makes of a sample is hardly
// more than what the others make of it.
constexpr int trial_strength = min_text_strength;

struct trial {
  text_parameters way;
  std::uint64_t coded_bytes;
};

bool is_writing(std::span<const std::byte> sample) {
  const auto written = std::count_if(sample.begin(), sample.end(), [](std::byte b) {
    const auto kind = model::class_of(std::to_integer<std::uint8_t>(b));
    return kind == model::byte_class::letter || kind == model::byte_class::space ||
           kind == model::byte_class::line;
  });
  return static_cast<std::size_t>(written) * 100 > sample.size() * surely_letters;
}

/// Finds the way that suits a sample.
trial try_ways(std::span<const std::byte> sample) {
  const auto attempt = [&](symbol_kind kind) {
    text_parameters way{.strength = trial_strength, .kind = kind};
    way.x86 = kind == symbol_kind::records && looks_like_x86(sample);
    return trial{way, encode_with(way, sample, nullptr).coded.size()};
  };
  const auto smaller = [](const trial& a, const trial& b) {
    return b.coded_bytes < a.coded_bytes ? b : a;
  };
  const std::uint64_t tokens = leaves_of_tokens(sample).size();
  if (sample.size() * 100 > tokens * surely_tokens) return attempt(symbol_kind::tokens);
  if (sample.size() * 100 < tokens * surely_bytes)
    return smaller(attempt(symbol_kind::letters), attempt(symbol_kind::records));
  const trial letters = attempt(symbol_kind::letters);
  const trial as_bytes =
      is_writing(sample) ? letters : smaller(letters, attempt(symbol_kind::records));
  const trial as_tokens = attempt(symbol_kind::tokens);
  return as_bytes.coded_bytes * byte_handicap < as_tokens.coded_bytes * 100 ? as_bytes : as_tokens;
}

class text_encoder final : public encoder {
 public:
  text_encoder(int strength, std::shared_ptr<const shared_model> model)
      : strength_(strength), model_(std::move(model)) {}

  std::string_view name() const noexcept override { return "text"; }

  std::uint64_t memory(std::uint64_t plain_bytes) const override {
    // Leaves, the tokenizer's buffer and a filtered copy.
    return decoder_memory(plain_bytes) + 5 * plain_bytes + (std::uint64_t{1} << 20);
  }

  std::uint64_t decoder_memory(std::uint64_t plain_bytes) const override {
    std::uint64_t most = 0;
    for (const auto kind : {symbol_kind::tokens, symbol_kind::letters, symbol_kind::records}) {
      text_parameters p{.strength = strength_, .kind = kind};
      p.log2_lines = log2_lines_for(p, plain_bytes);
      if (kind == symbol_kind::tokens) use_network(p);
      most = std::max(most, p.coder().memory(p.setup(plain_bytes, model_.get())));
    }
    return most;
  }

  outlook estimate(std::span<const std::byte> sample) const override {
    trial t = try_ways(sample);
    t.way.strength = strength_;
    if (t.way.kind == symbol_kind::tokens && model_ != nullptr) try_network(sample, t);
    return {t.coded_bytes, t.way.pack()};
  }

  encoded encode_as(std::span<const std::byte> plain, std::uint32_t choice) const override {
    if (choice == undecided)
      choice = estimate(plain.first(std::min(plain.size(), trial_bytes))).choice;
    return encode_with(text_parameters::unpack(choice), plain, model_.get());
  }

 private:
  /// Takes the network for a small sample, where what it knows beforehand counts most, and for a
  /// large one unless it does harm.
  void try_network(std::span<const std::byte> sample, trial& t) const {
    text_parameters with = t.way;
    use_network(with);
    if (sample.size() >= judged_network_bytes) {
      const auto alone = encode_with(t.way, sample, nullptr).coded.size();
      t.coded_bytes = encode_with(with, sample, model_.get()).coded.size();
      if (t.coded_bytes > alone) {
        t.coded_bytes = alone;
        return;
      }
    }
    t.way = with;
  }

  void use_network(text_parameters& way) const {
    if (model_ == nullptr) return;
    way.network = true;
    way.model_mark = mark_of(*model_);
  }

  int strength_;
  std::shared_ptr<const shared_model> model_;
};

}  // namespace
}  // namespace text

std::unique_ptr<encoder> make_text_encoder(int strength,
                                           std::shared_ptr<const shared_model> model) {
  if (strength < min_text_strength || strength > max_text_strength ||
      (model != nullptr && strength < text::min_network_strength))
    throw error(errc::usage, "there is no text strength " + std::to_string(strength));
  return std::make_unique<text::text_encoder>(strength, std::move(model));
}

}  // namespace lmzip::codec
