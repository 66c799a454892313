#include "codec/text/parameter_trainer.h"

#include <zstd.h>

#include <algorithm>

#include "codec/text/leaves.h"
#include "codec/text/symbol_coder.h"
#include "codec/text/text_data.h"
#include "core/endian.h"
#include "lmzip/error.h"
#include "model/parameters.h"

namespace lmzip::codec::text {
namespace {

/// Blocks of this size taught more than one long run, and served small blocks best.
constexpr std::size_t training_block_bytes = std::size_t{256} << 10;
constexpr unsigned training_log2_lines = 16;

/// The result is the mean of the states after each block, so that it fits no text in particular;
/// the first quarter of the data only leads up to it.
constexpr std::size_t warm_up = 4;

using leaves_function = std::vector<std::uint16_t> (*)(std::span<const std::byte>);

std::vector<std::uint8_t> train_mode(const symbol_coder& coder, const model::alphabet& symbols,
                                     leaves_function leaves_of, std::span<const std::byte> data,
                                     const std::function<void(std::size_t)>& on_progress) {
  const model::parameter_layout layout(coder.shape);
  std::vector<std::byte> parameters = layout.untrained();
  model::parameter_mean mean(layout);
  for (std::size_t start = 0; start < data.size(); start += training_block_bytes) {
    const auto block = data.subspan(start, std::min(training_block_bytes, data.size() - start));
    const coding_setup setup{.symbols = &symbols,
                             .parameters = parameters,
                             .log2_lines = training_log2_lines,
                             .plain_bytes = block.size()};
    std::vector<std::byte> learned(parameters.size());
    coder.train(setup, leaves_of(block), learned);
    parameters = std::move(learned);
    if (start + block.size() >= data.size() / warm_up) mean.add(parameters);
    if (on_progress) on_progress(start + block.size());
  }
  return layout.quantise(data.empty() ? parameters : mean.image());
}

/// The training text without the zeros between its documents.
std::vector<std::byte> join_documents(std::span<const std::byte> text) {
  std::vector<std::byte> joined;
  joined.reserve(text.size());
  std::copy_if(text.begin(), text.end(), std::back_inserter(joined),
               [](std::byte b) { return b != std::byte{0}; });
  return joined;
}

}  // namespace

std::vector<std::byte> train_parameters(const training_data& data,
                                        const std::function<void(std::size_t)>& on_progress) {
  const auto tokens = train_mode(token_coder(), alphabet_of_shipped_vocabulary(), leaves_of_tokens,
                                 join_documents(data.text), on_progress);
  const auto bytes = train_mode(byte_coder(), model::alphabet::of_bytes(), leaves_of_bytes,
                                data.bytes, on_progress);
  return pack_parameters({tokens, bytes});
}

std::vector<std::byte> pack_parameters(const parameter_values& values) {
  std::vector<std::uint8_t> all = values.tokens;
  all.insert(all.end(), values.bytes.begin(), values.bytes.end());
  std::vector<std::byte> file(12 + ZSTD_compressBound(all.size()));
  store_le(file.data(), parameter_magic);
  store_le(file.data() + 4, static_cast<std::uint32_t>(values.tokens.size()));
  store_le(file.data() + 8, static_cast<std::uint32_t>(values.bytes.size()));
  const std::size_t size =
      ZSTD_compress(file.data() + 12, file.size() - 12, all.data(), all.size(), 19);
  if (ZSTD_isError(size) != 0) throw error(errc::internal, "zstd failed on the parameters");
  file.resize(12 + size);
  return file;
}

}  // namespace lmzip::codec::text
