#include "codec/text/parameter_trainer.h"

#include <algorithm>

#include "codec/text/leaves.h"
#include "codec/text/ngram_trainer.h"
#include "codec/text/symbol_coder.h"
#include "codec/text/text_data.h"
#include "model/parameters.h"

namespace lmzip::codec::text {
namespace {

/// Blocks of this size taught more than one long run, and served small blocks best.
constexpr std::size_t training_block_bytes = std::size_t{256} << 10;
constexpr unsigned training_log2_lines = 16;

/// The result is the mean of the states after each block, so that it fits no text in particular;
/// the first quarter of the data only leads up to it.
constexpr std::size_t warm_up = 4;

/// Parts of the text, in per cent, that n-grams are counted in, and that teach bytes; the rest
/// teaches tokens.
constexpr std::size_t ngram_part = 85;
constexpr std::size_t letter_part = 5;

/// A part of the text, cut at document borders.
std::span<const std::byte> part_of(std::span<const std::byte> text, std::size_t from,
                                   std::size_t to) {
  const auto border = [&](std::size_t per_cent) {
    const auto at = text.begin() + static_cast<std::ptrdiff_t>(text.size() * per_cent / 100);
    return std::find(at, text.end(), std::byte{0});
  };
  return {from == 0 ? text.begin() : border(from), border(to)};
}

/// The text without the zeros between its documents.
std::vector<std::byte> join_documents(std::span<const std::byte> text) {
  std::vector<std::byte> joined;
  joined.reserve(text.size());
  std::copy_if(text.begin(), text.end(), std::back_inserter(joined),
               [](std::byte b) { return b != std::byte{0}; });
  return joined;
}

std::vector<std::uint8_t> train_start(int strength, symbol_kind kind,
                                      std::span<const std::byte> data,
                                      const model::ngram_table& ngrams) {
  const symbol_coder& coder = find_coder(strength, kind);
  const model::parameter_layout layout(coder.shape);
  std::vector<std::byte> parameters = layout.untrained();
  model::parameter_mean mean(layout);
  for (std::size_t start = 0; start < data.size(); start += training_block_bytes) {
    const auto block = data.subspan(start, std::min(training_block_bytes, data.size() - start));
    coding_setup setup{.symbols = &alphabet_of(kind),
                       .parameters = parameters,
                       .log2_lines = training_log2_lines,
                       .plain_bytes = block.size()};
    setup.use_ngrams(ngrams, coder.ngrams);
    const auto leaves =
        kind == symbol_kind::tokens ? leaves_of_tokens(block) : leaves_of_bytes(block);
    std::vector<std::byte> learned(parameters.size());
    coder.train(setup, leaves, learned);
    parameters = std::move(learned);
    if (start + block.size() >= data.size() / warm_up) mean.add(parameters);
  }
  return layout.quantise(data.empty() ? parameters : mean.image());
}

}  // namespace

void train_sections(const training_data& data,
                    const std::function<void(const std::string&)>& on_progress,
                    std::vector<parameter_section>& sections) {
  on_progress(ngram_section);
  sections.push_back({ngram_section, train_ngrams(part_of(data.text, 0, ngram_part))});
  const auto ngrams = model::ngram_table::parse(sections.back().values, token_alphabet().size());

  const auto unseen = join_documents(part_of(data.text, ngram_part, 100));
  const auto letters = join_documents(part_of(data.text, 100 - letter_part, 100));
  for (int strength = min_strength; strength <= max_strength; ++strength) {
    const auto add = [&](symbol_kind kind, std::span<const std::byte> from) {
      const std::string name = section_name(strength, kind);
      on_progress(name);
      sections.push_back({name, train_start(strength, kind, from, ngrams)});
    };
    add(symbol_kind::tokens, unseen);
    add(symbol_kind::letters, letters);
    add(symbol_kind::records, data.bytes);
  }
}

}  // namespace lmzip::codec::text
