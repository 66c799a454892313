#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/tensors/detect.h"

/// What the tests of the tensor readers share: files made by hand, as strings of bytes.
namespace tensor_support {

using namespace lmzip::tensors;
using lmzip::dtype;

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// `value` little-endian in `count` bytes.
inline std::string le(std::uint64_t value, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

inline std::string u16(std::uint64_t value) { return le(value, 2); }
inline std::string u32(std::uint64_t value) { return le(value, 4); }
inline std::string u64(std::uint64_t value) { return le(value, 8); }

/// A text with the quotes that C++ would need to escape: ' stands for ".
inline std::string json(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '"');
  return text;
}

/// A safetensors file; `header` with ' for ".
inline std::string safetensors(std::string header, std::size_t data_bytes = 0,
                               std::optional<std::uint64_t> header_bytes = {}) {
  header = json(std::move(header));
  return u64(header_bytes.value_or(header.size())) + header + std::string(data_bytes, 'd');
}

/// One member of its header.
inline std::string entry(std::string_view name, std::string_view type, std::string_view shape,
                         std::uint64_t begin, std::uint64_t end) {
  return "'" + std::string(name) + "':{'dtype':'" + std::string(type) + "','shape':[" +
         std::string(shape) + "],'data_offsets':[" + std::to_string(begin) + "," +
         std::to_string(end) + "]}";
}

/// Ranges follow each other over the whole input, and each tensor that is not empty is one. One
/// assertion for all, as there may be a million.
inline bool fits_ranges(const tensor_layout& layout) {
  std::uint64_t at = 0;
  std::size_t next = 0;
  const auto skip_empty = [&] {
    while (next < layout.tensors.size() && layout.tensors[next].bytes == 0) ++next;
  };
  for (const range& r : ranges_of(layout)) {
    if (r.offset != at || r.bytes == 0) return false;
    at += r.bytes;
    if (r.tensor == no_tensor) continue;
    skip_empty();
    if (r.tensor != next) return false;
    const tensor& t = layout.tensors[next++];
    if (t.offset != r.offset || t.bytes != r.bytes || t.record_bytes == 0) return false;
  }
  skip_empty();
  return at == layout.bytes && next == layout.tensors.size();
}

inline void check_ranges(const tensor_layout& layout, std::uint64_t input_bytes) {
  CHECK(layout.bytes == input_bytes);
  CHECK(fits_ranges(layout));
}

/// The layout of a file that is read at any place.
inline tensor_layout layout_of(std::string_view file, const read_limits& limits = {}) {
  tensor_layout layout = read_layout(input_of(bytes_of(file)), limits);
  check_ranges(layout, file.size());
  return layout;
}

/// What a pipe shows whose end is not known before it comes.
inline probe_result probe_stream(std::string_view stream, const read_limits& limits = {}) {
  return probe_with([&](std::size_t count) { return bytes_of(stream.substr(0, count)); }, {},
                    limits);
}

inline bool is_plain(const tensor_layout& layout) {
  return layout.format == format_kind::none && layout.tensors.empty();
}

/// Changes, cuts and repeats bytes of the first `header_bytes` of a file; the same for each seed.
inline std::string mutated(std::string file, std::size_t header_bytes, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  for (std::size_t i = 1 + below(3); i > 0 && !file.empty(); --i) {
    const std::size_t at = below(std::min(header_bytes, file.size()));
    switch (below(6)) {
      case 0:
        file[at] = static_cast<char>(file[at] ^ 1 << below(8));
        break;
      case 1:
        file[at] = static_cast<char>(below(256));
        break;
      case 2:
        file.resize(at);
        break;
      case 3:
        file.erase(at, 1 + below(8));
        break;
      case 4:
        file.insert(at, file.substr(at, 1 + below(16)));
        break;
      default:
        for (std::size_t k = at; k < std::min(at + 8, file.size()); ++k)
          file[k] = static_cast<char>(below(2) == 0 ? 0xff : 0);
    }
  }
  return file;
}

/// Mutated files give some layout of all their bytes, read as files and as streams.
inline void check_mutations(const std::string& file, std::size_t header_bytes, unsigned count) {
  for (unsigned seed = 0; seed < count; ++seed) {
    const std::string other = mutated(file, header_bytes, seed);
    layout_of(other);
    const probe_result seen = probe_stream(other);
    CHECK(seen.is != probe_result::verdict::more);
    if (seen.is == probe_result::verdict::decided) CHECK(fits_ranges(seen.layout));
    const probe_result early = probe({.bytes = bytes_of(other), .total = {}});
    if (early.is == probe_result::verdict::decided) CHECK(fits_ranges(early.layout));
    if (early.is == probe_result::verdict::more) CHECK(early.wanted > other.size());
  }
}

}  // namespace tensor_support
