#include <zstd.h>

#include <algorithm>
#include <memory>

#include "codec/zstd/zstd_codec.h"
#include "core/cursor.h"

namespace lmzip::codec {
namespace {

// ZSTD_DCtx with its tables and literal buffer, as libzstd 1.4 … 1.5 have it. A frame is decoded
// straight into the output, so the window needs no memory of its own.
constexpr std::uint64_t context_bytes = std::uint64_t{256} << 10;

struct context_deleter {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// One context a thread: making one costs more than decoding a block of 4 KiB.
ZSTD_DCtx* thread_context() {
  thread_local std::unique_ptr<ZSTD_DCtx, context_deleter> context(ZSTD_createDCtx());
  if (!context) context.reset(ZSTD_createDCtx());
  if (!context) throw std::bad_alloc();
  return context.get();
}

std::uint64_t memory(std::uint32_t parameters, std::uint64_t, const shared_model*) {
  if (parameters < 1 || parameters > static_cast<std::uint32_t>(zstd_max_level))
    throw error(errc::damaged, "a zstd block has unknown parameters");
  return context_bytes;
}

// Window_Size of RFC 8878, section 3.1.1.1.2.
std::uint64_t window_size(std::uint8_t descriptor) {
  const std::uint64_t base = std::uint64_t{1} << (10 + (descriptor >> 3));
  return base + base / 8 * (descriptor & 7);
}

void check_frame_header(std::span<const std::byte> coded, std::uint64_t plain_bytes) {
  cursor in(coded);
  if (coded.size() < 6 || in.u32() != ZSTD_MAGICNUMBER)
    throw error(errc::damaged, "a zstd block holds no zstd frame");
  if (in.u8() != 0) throw error(errc::damaged, "a zstd block's frame has forbidden features");
  if (window_size(in.u8()) > std::bit_ceil(std::max<std::uint64_t>(plain_bytes, 1024)))
    throw error(errc::damaged, "a zstd block's window is larger than the block");
  if (ZSTD_findFrameCompressedSize(coded.data(), coded.size()) != coded.size())
    throw error(errc::damaged, "a zstd block is not exactly one frame");
}

void decode(std::uint32_t, std::span<const std::byte> coded, std::span<std::byte> plain,
            const decoding_context&) {
  check_frame_header(coded, plain.size());
  const std::size_t decoded =
      ZSTD_decompressDCtx(thread_context(), plain.data(), plain.size(), coded.data(), coded.size());
  if (ZSTD_isError(decoded))
    throw error(errc::damaged,
                std::string("a zstd block does not decode: ") + ZSTD_getErrorName(decoded));
  if (decoded != plain.size())
    throw error(errc::damaged, "a zstd block is shorter than its header says");
}

std::string describe(std::uint32_t parameters) { return "level " + std::to_string(parameters); }

}  // namespace

constinit const decoder zstd_decoder_v0{codec_id::zstd, 0,        "zstd",        memory,
                                        decode,         describe, needs_no_model};

}  // namespace lmzip::codec
