#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>

#include "codec/zstd/repeat_probe.h"
#include "codec/zstd/zstd_codec.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace {

struct setting {
  int level;
  std::uint64_t table_bytes;  // upper bound of the context without long-distance matching
  std::size_t reach;          // distance from which on the level's own tables miss most repeats
};

constexpr std::array settings{
    setting{1, std::uint64_t{1} << 20, std::size_t{256} << 10},
    setting{3, std::uint64_t{2} << 20, std::size_t{1} << 20},
    setting{9, std::uint64_t{14} << 20, std::size_t{8} << 20},
    // Of at most 4 MiB: the tables of that window.
    setting{19, std::uint64_t{60} << 20, std::size_t{8} << 20},
};

constexpr int strongest = 19;
constexpr std::uint64_t least_table_bytes = std::uint64_t{3} << 20;

// The part of a block, of 1000, that has to repeat beyond the level's reach. Long-distance matching
// costs a quarter of the speed of the fast levels, and where it finds what the level finds as well,
// up to a quarter of the size.
constexpr unsigned worthwhile_repeats = 80;

struct context_deleter {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
using context_pointer = std::unique_ptr<ZSTD_CCtx, context_deleter>;

context_pointer make_context() {
  context_pointer context(ZSTD_createCCtx());
  if (!context) throw std::bad_alloc();
  return context;
}

void check(std::size_t result) {
  if (!ZSTD_isError(result)) return;
  if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  throw error(errc::internal, std::string("zstd failed: ") + ZSTD_getErrorName(result));
}

void set(ZSTD_CCtx* context, ZSTD_cParameter parameter, int value) {
  check(ZSTD_CCtx_setParameter(context, parameter, value));
}

int window_log(std::uint64_t plain_bytes) {
  const int needed = static_cast<int>(std::bit_width(std::max<std::uint64_t>(plain_bytes, 2) - 1));
  return std::clamp(needed, 10, 30);
}

// What one call works with; kept for the next call, since making it anew costs page faults.
struct workspace {
  context_pointer context = make_context();
  std::unique_ptr<std::byte[]> output;
  std::size_t capacity = 0;

  std::span<std::byte> room_for(std::size_t bytes) {
    if (capacity < bytes) {
      capacity = 0;
      output = std::make_unique_for_overwrite<std::byte[]>(bytes);
      capacity = bytes;
    }
    return {output.get(), capacity};
  }

  std::size_t compress(int level, bool long_distance, std::span<const std::byte> plain) {
    ZSTD_CCtx* const c = context.get();
    check(ZSTD_CCtx_reset(c, ZSTD_reset_session_and_parameters));
    set(c, ZSTD_c_compressionLevel, level);
    set(c, ZSTD_c_windowLog, window_log(plain.size()));
    set(c, ZSTD_c_contentSizeFlag, 0);
    set(c, ZSTD_c_dictIDFlag, 0);
    if (long_distance) set(c, ZSTD_c_enableLongDistanceMatching, 1);
    const auto room = room_for(ZSTD_compressBound(plain.size()));
    const std::size_t written =
        ZSTD_compress2(c, room.data(), room.size(), plain.data(), plain.size());
    check(written);
    return written;
  }
};

class zstd_encoder final : public encoder {
 public:
  explicit zstd_encoder(const setting& chosen) : setting_(chosen) {}

  std::string_view name() const noexcept override { return "zstd"; }

  std::uint64_t memory(std::uint64_t plain_bytes) const override {
    // The long-distance matcher has a table of 8 bytes for each 128 bytes of window and an eighth
    // of a byte beside each entry.
    const std::uint64_t window = std::uint64_t{1} << window_log(plain_bytes);
    // The tables of the strongest level shrink with the window.
    const std::uint64_t tables =
        setting_.level < strongest
            ? setting_.table_bytes
            : std::min(setting_.table_bytes, least_table_bytes + 14 * window);
    return tables + window / 15 + ZSTD_compressBound(static_cast<std::size_t>(plain_bytes));
  }

  std::uint64_t decoder_memory(std::uint64_t plain_bytes) const override {
    return zstd_decoder_v0.memory(static_cast<std::uint32_t>(setting_.level), plain_bytes);
  }

  outlook estimate(std::span<const std::byte> sample) const override {
    const lease work(*this);
    return {work->compress(setting_.level, false, sample), undecided};
  }

  encoded encode_as(std::span<const std::byte> plain, std::uint32_t) const override {
    const bool long_distance = distant_repeats(plain, setting_.reach) >= worthwhile_repeats;
    const lease work(*this);
    const std::size_t written = work->compress(setting_.level, long_distance, plain);
    return {{codec_id::zstd, 0, static_cast<std::uint32_t>(setting_.level)},
            {work->output.get(), work->output.get() + written}};
  }

 private:
  // A workspace for the duration of one call.
  class lease {
   public:
    explicit lease(const zstd_encoder& owner) : owner_(owner), work_(owner.take()) {}
    lease(const lease&) = delete;
    lease& operator=(const lease&) = delete;
    ~lease() { owner_.put_back(std::move(work_)); }
    workspace* operator->() const { return work_.get(); }

   private:
    const zstd_encoder& owner_;
    std::unique_ptr<workspace> work_;
  };

  std::unique_ptr<workspace> take() const {
    {
      const std::scoped_lock lock(mutex_);
      if (!idle_.empty()) {
        auto work = std::move(idle_.back());
        idle_.pop_back();
        return work;
      }
      idle_.reserve(++made_);  // so that put_back() cannot fail
    }
    return std::make_unique<workspace>();
  }

  void put_back(std::unique_ptr<workspace> work) const noexcept {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(work));
  }

  setting setting_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<workspace>> idle_;
  mutable std::size_t made_ = 0;
};

}  // namespace

std::unique_ptr<encoder> make_zstd_encoder(int level) {
  for (const setting& candidate : settings)
    if (candidate.level == level) return std::make_unique<zstd_encoder>(candidate);
  throw error(errc::usage, "no zstd encoder of level " + std::to_string(level));
}

bool looks_incompressible(std::span<const std::byte> plain) {
  // Smaller blocks are compressed sooner than judged.
  constexpr std::size_t min_bytes = std::size_t{4} << 20;
  constexpr std::size_t sample_bytes = std::size_t{16} << 10;
  constexpr std::size_t sample_spacing = std::size_t{512} << 10;
  if (plain.size() < min_bytes) return false;

  const context_pointer context = make_context();
  std::vector<std::byte> output(ZSTD_compressBound(sample_bytes));
  std::uint64_t sampled = 0, coded = 0;
  for (std::size_t start = 0; start + sample_bytes <= plain.size(); start += sample_spacing) {
    const auto sample = plain.subspan(start, sample_bytes);
    const std::size_t written = ZSTD_compressCCtx(context.get(), output.data(), output.size(),
                                                  sample.data(), sample.size(), 1);
    check(written);
    sampled += sample.size();
    coded += std::min(written, sample.size());
  }
  // Half a per cent is the least that is worth the time; distant copies do not show in samples.
  return coded + sampled / 200 >= sampled &&
         distant_repeats(plain, settings.front().reach) < worthwhile_repeats / 8;
}

}  // namespace lmzip::codec
