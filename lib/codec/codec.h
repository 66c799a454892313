#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.h"

namespace lmzip::codec {

struct shared_model;

/// Codecs by their number in the container. Numbers are never reused.
enum class codec_id : std::uint8_t {
  store = 0,
  fill = 1,
  zstd = 2,
  text = 3,
  tokens = 4,
  bwt = 5,
  lmc = 6,
  ratio = 7,
  brevis = 8,
  delta = 9,
};

/// How a block is coded: what its header says and a decoder needs, besides the sizes.
struct method {
  codec_id codec = codec_id::store;
  std::uint8_t version = 0;
  std::uint32_t parameters = 0;  ///< meaning fixed by the codec and version
};

/// The tensors that blocks may be coded against, from outside the archive.
class base_tensors {
 public:
  virtual ~base_tensors() = default;

  /// Reads bytes of the tensor whose `tensor_bytes` bytes have that SHA-256, which has been checked
  /// then. `hint` is where it stood among all tensors when the block was made. The range lies
  /// within the tensor. Safe to call from several threads. Throws error(missing) if there is no
  /// such tensor, and what reading throws.
  virtual void read(const hash256& tensor, std::uint64_t tensor_bytes, std::uint32_t hint,
                    std::uint64_t offset, std::span<std::byte> out) = 0;
};

/// What a block may need besides its payload.
struct decoding_context {
  /// Implicit, because most who decode have no more than a model.
  decoding_context(const shared_model* model_of_member = nullptr,
                   base_tensors* base_of_member = nullptr)
      : model(model_of_member), base(base_of_member) {}

  const shared_model* model;
  base_tensors* base;
};

/// The decoding half of one codec version. A plain table of functions: decoders never depend on
/// encoders. All functions are safe to call from several threads on distinct outputs.
struct decoder {
  codec_id codec;
  std::uint8_t version;
  std::string_view name;

  std::uint64_t (*memory_function)(std::uint32_t parameters, std::uint64_t plain_bytes,
                                   const shared_model* model);
  void (*decode_function)(std::uint32_t parameters, std::span<const std::byte> coded,
                          std::span<std::byte> plain, const decoding_context& context);

  /// The parameters in words for `lmzip info`, e.g. "tokens, strength 3"; may be empty.
  std::string (*describe)(std::uint32_t parameters);

  /// Whether a block of these parameters needs the model that its member names.
  bool (*needs_model)(std::uint32_t parameters) noexcept;

  /// Bytes of working memory that `decode` needs besides its input and output. Throws
  /// error(damaged) if no encoder writes these parameters, and error(missing) without a model that
  /// it needs.
  std::uint64_t memory(std::uint32_t parameters, std::uint64_t plain_bytes,
                       const shared_model* model = nullptr) const {
    return memory_function(parameters, plain_bytes, model);
  }

  /// Decodes `coded` into exactly `plain.size()` bytes. Any input is safe; one that is no valid
  /// encoding throws error(damaged), and `plain` must then not be shown to anyone. Throws
  /// error(missing) without a model or a base that it needs.
  void decode(std::uint32_t parameters, std::span<const std::byte> coded,
              std::span<std::byte> plain, const decoding_context& context = {}) const {
    decode_function(parameters, coded, plain, context);
  }
};

/// For decoders that never need a model.
inline bool needs_no_model(std::uint32_t) noexcept { return false; }

/// The decoder of a codec version, or nullptr if this build does not know it.
const decoder* find_decoder(codec_id codec, std::uint8_t version) noexcept;

/// What an encoder made of a block.
struct encoded {
  method how;
  std::vector<std::byte> coded;
};

/// Stands for a choice that encode_as() makes itself.
inline constexpr std::uint32_t undecided = 0;

/// What an encoder made of a sample.
struct outlook {
  std::uint64_t coded_bytes = 0;
  std::uint32_t choice = undecided;  ///< the way it would take; meaning known to the encoder only
};

/// The encoding half of one codec at one setting. Immutable, so safe to use from several threads;
/// the output depends on the bytes and the setting only.
class encoder {
 public:
  virtual ~encoder() = default;

  virtual std::string_view name() const noexcept = 0;

  /// Upper bound of the working memory that `encode` or `estimate` needs for a block of
  /// `plain_bytes`, besides input and output.
  virtual std::uint64_t memory(std::uint64_t plain_bytes) const = 0;

  /// Upper bound of decoder::memory for blocks of up to `plain_bytes` that this encoder writes.
  virtual std::uint64_t decoder_memory(std::uint64_t plain_bytes) const = 0;

  /// Tries the codec on a sample of a block.
  virtual outlook estimate(std::span<const std::byte> sample) const = 0;

  /// Codes `plain`. Throws error(internal) or std::bad_alloc on failure; callers fall back.
  encoded encode(std::span<const std::byte> plain) const { return encode_as(plain, undecided); }

  /// The same, in the way that estimate() chose for a sample of it.
  virtual encoded encode_as(std::span<const std::byte> plain, std::uint32_t choice) const = 0;
};

}  // namespace lmzip::codec
