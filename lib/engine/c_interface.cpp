#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/block_io.h"
#include "engine/byte_buffer.h"
#include "lmzip/archive_reader.h"
#include "lmzip/base.h"
#include "lmzip/compress.h"
#include "lmzip/decompress.h"
#include "lmzip/error.h"
#include "lmzip/incremental.h"
#include "lmzip/lmzip.h"

struct lmzip_stream {
  lmzip::incremental coder;
};

struct lmzip_reader {
  std::unique_ptr<lmzip::seekable_source> from;  // null: the archive is a file
  lmzip::archive_reader archive;
};

struct lmzip_base {
  lmzip::base_handle files;
};

namespace {

static_assert(LMZIP_INTERNAL == static_cast<int>(lmzip::errc::internal));
static_assert(LMZIP_MEMORY_LIMIT == static_cast<int>(lmzip::errc::memory_limit));

static_assert(LMZIP_SEARCH_FULL == static_cast<int>(lmzip::tensor_search::full));

constexpr lmzip_options defaults{.size = sizeof(lmzip_options),
                                 .level = lmzip::default_level,
                                 .threads = 1,
                                 .block_bytes = 0,
                                 .memory_limit = 0,
                                 .output_limit = 0,
                                 .verify = 0,
                                 .strong = 0,
                                 .cache_bytes = 0,
                                 .base = nullptr,
                                 .search = LMZIP_SEARCH_BY_LEVEL,
                                 .reserved = 0};

// The options of a program that may know fewer fields or more of them than this library. What this
// library does not know must be zero, which always means "as before".
lmzip_options read_options(const lmzip_options* given) {
  lmzip_options options = defaults;
  if (given == nullptr) return options;
  std::size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(given);
  constexpr std::size_t largest = 4096;
  if (size < sizeof size || size > largest ||
      std::any_of(bytes + std::min(size, sizeof options), bytes + size,
                  [](unsigned char value) { return value != 0; }))
    throw lmzip::error(lmzip::errc::usage, "options of another version");
  std::memcpy(&options, bytes, std::min(size, sizeof options));
  return options;
}

lmzip::base_handle base_of(const lmzip_options& options) {
  return options.base == nullptr ? nullptr : options.base->files;
}

lmzip::compress_options compress_options_of(const lmzip_options* given) {
  const lmzip_options options = read_options(given);
  lmzip::compress_options result;
  result.level = options.level;
  result.threads = options.threads;
  result.block_bytes = options.block_bytes;
  result.memory_limit = options.memory_limit;
  result.verify = options.verify != 0;
  result.strong = options.strong != 0;
  result.base = base_of(options);
  if (options.search < LMZIP_SEARCH_BY_LEVEL || options.search > LMZIP_SEARCH_FULL)
    throw lmzip::error(lmzip::errc::usage, "no such search for programs of tensors");
  result.search = static_cast<lmzip::tensor_search>(options.search);
  return result;
}

lmzip::decompress_options decompress_options_of(const lmzip_options* given) {
  const lmzip_options options = read_options(given);
  lmzip::decompress_options result;
  result.threads = options.threads;
  result.memory_limit = options.memory_limit;
  result.output_limit = options.output_limit;
  result.base = base_of(options);
  return result;
}

lmzip::archive_reader_options reader_options_of(const lmzip_options* given) {
  const lmzip_options options = read_options(given);
  lmzip::archive_reader_options result;
  if (options.cache_bytes != 0) result.cache_bytes = options.cache_bytes;
  result.memory_limit = options.memory_limit;
  result.base = base_of(options);
  return result;
}

lmzip::base_options base_options_of(const lmzip_options* given) {
  const lmzip_options options = read_options(given);
  lmzip::base_options result;
  if (options.cache_bytes != 0) result.cache_bytes = options.cache_bytes;
  result.memory_limit = options.memory_limit;
  return result;
}

void require(bool condition) {
  if (!condition) throw lmzip::error(lmzip::errc::usage, "null argument");
}

// Runs `action` and turns whatever it throws into a code.
template <typename Action>
int guarded(Action action) noexcept {
  try {
    action();
    return LMZIP_OK;
  } catch (const lmzip::error& cause) {
    return static_cast<int>(cause.code());
  } catch (const std::bad_alloc&) {
    return LMZIP_MEMORY_LIMIT;
  } catch (...) {
    return LMZIP_INTERNAL;
  }
}

// Collects output in memory that C can free.
class memory_sink final : public lmzip::sink {
 public:
  void write(std::span<const std::byte> data) override {
    if (data.size() > std::numeric_limits<std::size_t>::max() / 4 - size_) throw std::bad_alloc();
    if (size_ + data.size() > buffer_.capacity())
      buffer_.grow(std::max(size_ + data.size(), buffer_.capacity() + buffer_.capacity() / 2));
    if (!data.empty())
      std::memcpy(buffer_.first(buffer_.capacity()).data() + size_, data.data(), data.size());
    size_ += data.size();
  }

  void hand_over(void** memory, std::size_t* bytes) {
    buffer_.grow(1);  // so that empty output is no null pointer
    *bytes = size_;
    *memory = buffer_.release();
  }

 private:
  lmzip::engine::byte_buffer buffer_;
  std::size_t size_ = 0;
};

// An archive behind a function of the caller.
class callback_source final : public lmzip::seekable_source {
 public:
  callback_source(lmzip_read_at read_at, void* context, std::uint64_t bytes)
      : read_at_(read_at), context_(context), bytes_(bytes) {}

  std::uint64_t size() override { return bytes_; }

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    std::size_t count = 0;
    if (read_at_(context_, offset, out.data(), out.size(), &count) != 0)
      throw lmzip::error(lmzip::errc::io, "reading failed");
    return count;
  }

 private:
  lmzip_read_at read_at_;
  void* context_;
  std::uint64_t bytes_;
};

std::span<const std::byte> input_of(const void* memory, std::size_t bytes) {
  require(memory != nullptr || bytes == 0);
  return {static_cast<const std::byte*>(memory), bytes};
}

// Codes from memory to memory with compress() or decompress().
template <typename Function>
int code_memory(const void* in, std::size_t in_bytes, void** out, std::size_t* out_bytes,
                Function function) noexcept {
  if (out != nullptr) *out = nullptr;
  if (out_bytes != nullptr) *out_bytes = 0;
  return guarded([&] {
    require(out != nullptr && out_bytes != nullptr);
    lmzip::engine::span_source from(input_of(in, in_bytes));
    memory_sink to;
    function(from, to);
    to.hand_over(out, out_bytes);
  });
}

template <typename Options>
int begin(lmzip_stream** stream, Options options) noexcept {
  if (stream != nullptr) *stream = nullptr;
  return guarded([&] {
    require(stream != nullptr);
    *stream = new lmzip_stream{lmzip::incremental(options())};
  });
}

}  // namespace

const char* lmzip_error_text(int code) {
  switch (code) {
    case LMZIP_OK:
      return "no error";
    case LMZIP_USAGE:
      return "invalid argument";
    case LMZIP_IO:
      return "reading or writing failed";
    case LMZIP_DAMAGED:
      return "the archive is damaged";
    case LMZIP_TRUNCATED:
      return "the archive is truncated";
    case LMZIP_NOT_LMZIP:
      return "not in lmzip format";
    case LMZIP_MEMORY_LIMIT:
      return "a limit on memory or output is too small";
    case LMZIP_UNSUPPORTED:
      return "the archive needs another version of lmzip";
    case LMZIP_MISSING:
      return "the archive needs a model or a base that is not there";
    case LMZIP_BUSY:
      return "the archive is locked";
    case LMZIP_CANCELED:
      return "canceled";
    case LMZIP_INTERNAL:
      return "internal error, please report it";
    default:
      return "unknown error";
  }
}

const char* lmzip_version(void) { return LMZIP_VERSION; }

int lmzip_abi_version(void) { return LMZIP_ABI_VERSION; }

void lmzip_options_init(lmzip_options* options, size_t size) {
  if (options == nullptr || size < sizeof(size_t)) return;
  std::memset(options, 0, size);
  std::memcpy(options, &defaults, std::min(size, sizeof defaults));
  std::memcpy(options, &size, sizeof size);
}

int lmzip_compress(const void* plain, size_t plain_bytes, const lmzip_options* options,
                   void** archive, size_t* archive_bytes) {
  return code_memory(plain, plain_bytes, archive, archive_bytes,
                     [&](lmzip::source& in, lmzip::sink& out) {
                       lmzip::compress(in, out, compress_options_of(options));
                     });
}

int lmzip_decompress(const void* archive, size_t archive_bytes, const lmzip_options* options,
                     void** plain, size_t* plain_bytes) {
  return code_memory(archive, archive_bytes, plain, plain_bytes,
                     [&](lmzip::source& in, lmzip::sink& out) {
                       lmzip::decompress(in, out, decompress_options_of(options));
                     });
}

int lmzip_base_open(const char* const* paths, size_t count, const lmzip_options* options,
                    lmzip_base** base) {
  if (base != nullptr) *base = nullptr;
  return guarded([&] {
    require(base != nullptr && (paths != nullptr || count == 0));
    std::vector<std::string> names;
    for (const char* path : std::span(paths, count)) {
      require(path != nullptr);
      names.emplace_back(path);
    }
    *base = new lmzip_base{lmzip::open_base(names, base_options_of(options))};
  });
}

int lmzip_base_open_sources(const lmzip_base_input* inputs, size_t count,
                            const lmzip_options* options, lmzip_base** base) {
  if (base != nullptr) *base = nullptr;
  return guarded([&] {
    require(base != nullptr && (inputs != nullptr || count == 0));
    std::vector<lmzip::base_input> files;
    for (const lmzip_base_input& each : std::span(inputs, count)) {
      require(each.read_at != nullptr);
      files.push_back({each.name == nullptr ? "" : each.name,
                       std::make_shared<callback_source>(each.read_at, each.context, each.bytes)});
    }
    *base = new lmzip_base{lmzip::open_base(std::move(files), base_options_of(options))};
  });
}

void lmzip_base_free(lmzip_base* base) { delete base; }

void lmzip_free(void* memory) { std::free(memory); }

int lmzip_compress_begin(const lmzip_options* options, lmzip_stream** stream) {
  return begin(stream, [&] { return compress_options_of(options); });
}

int lmzip_decompress_begin(const lmzip_options* options, lmzip_stream** stream) {
  return begin(stream, [&] { return decompress_options_of(options); });
}

int lmzip_stream_run(lmzip_stream* stream, lmzip_buffers* buffers, int last) {
  return guarded([&] {
    require(stream != nullptr && buffers != nullptr);
    require(buffers->out != nullptr || buffers->out_bytes == 0);
    const auto in = input_of(buffers->in, buffers->in_bytes);
    auto* const out = static_cast<std::byte*>(buffers->out);
    const auto step = stream->coder.run(in, {out, buffers->out_bytes}, last != 0);
    buffers->in = in.data() + step.consumed;
    buffers->in_bytes -= step.consumed;
    buffers->out = out + step.produced;
    buffers->out_bytes -= step.produced;
    buffers->finished = step.finished ? 1 : 0;
  });
}

int lmzip_reader_open(const char* path, const lmzip_options* options, lmzip_reader** reader) {
  if (reader != nullptr) *reader = nullptr;
  return guarded([&] {
    require(path != nullptr && reader != nullptr);
    const auto settings = reader_options_of(options);
    *reader = new lmzip_reader{nullptr, lmzip::archive_reader(std::string(path), settings)};
  });
}

int lmzip_reader_open_source(lmzip_read_at read_at, void* context, uint64_t archive_bytes,
                             const lmzip_options* options, lmzip_reader** reader) {
  if (reader != nullptr) *reader = nullptr;
  return guarded([&] {
    require(read_at != nullptr && reader != nullptr);
    const auto settings = reader_options_of(options);
    auto from = std::make_unique<callback_source>(read_at, context, archive_bytes);
    lmzip::archive_reader archive(*from, settings);
    *reader = new lmzip_reader{std::move(from), std::move(archive)};
  });
}

uint64_t lmzip_reader_size(const lmzip_reader* reader) {
  return reader == nullptr ? 0 : reader->archive.size();
}

int lmzip_reader_read(lmzip_reader* reader, uint64_t offset, void* into, size_t bytes,
                      size_t* count) {
  if (count != nullptr) *count = 0;
  return guarded([&] {
    require(reader != nullptr && count != nullptr && (into != nullptr || bytes == 0));
    *count = reader->archive.read(offset, {static_cast<std::byte*>(into), bytes});
  });
}

void lmzip_reader_free(lmzip_reader* reader) { delete reader; }

void lmzip_stream_free(lmzip_stream* stream) { delete stream; }
