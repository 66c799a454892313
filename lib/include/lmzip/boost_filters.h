#pragma once

#include <boost/iostreams/filter/symmetric.hpp>

#include <cstddef>
#include <ios>
#include <memory>
#include <span>

#include "lmzip/incremental.h"

namespace lmzip {

namespace detail {

/// incremental as Boost's SymmetricFilter.
template <typename Options>
class symmetric_coder {
 public:
  using char_type = char;

  explicit symmetric_coder(const Options& options) : options_(options) {}

  bool filter(const char*& in, const char* in_end, char*& out, char* out_end, bool last) {
    if (finished_) return false;
    if (!coder_) coder_ = std::make_unique<incremental>(options_);
    const auto step = coder_->run(std::as_bytes(std::span(in, in_end)),
                                  std::as_writable_bytes(std::span(out, out_end)), last);
    in += step.consumed;
    out += step.produced;
    finished_ = step.finished;
    return !finished_;
  }

  void close() {
    coder_.reset();
    finished_ = false;
  }

 private:
  Options options_;
  std::unique_ptr<incremental> coder_;
  bool finished_ = false;
};

template <typename Options>
using boost_filter = boost::iostreams::symmetric_filter<symmetric_coder<Options>>;

inline constexpr std::streamsize filter_buffer_bytes = std::streamsize{1} << 16;

}  // namespace detail

// Filters for boost::iostreams::filtering_istream and filtering_ostream, each usable in both. A
// filter makes one archive, or decodes one, from the first byte to the closing of the stream.
// Coding errors are thrown as lmzip::error through Boost; standard streams turn them into badbit
// unless exceptions(std::ios::badbit) is set. An output stream has to be closed with
// boost::iostreams::close() or reset(), which throw, rather than by its destructor.

/// Compresses what passes through.
class compress_filter : public detail::boost_filter<compress_options> {
 public:
  explicit compress_filter(const compress_options& options = {})
      : detail::boost_filter<compress_options>(detail::filter_buffer_bytes, options) {}
};

/// Decompresses what passes through.
class decompress_filter : public detail::boost_filter<decompress_options> {
 public:
  explicit decompress_filter(const decompress_options& options = {})
      : detail::boost_filter<decompress_options>(detail::filter_buffer_bytes, options) {}
};

}  // namespace lmzip
