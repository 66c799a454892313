#include <zstd.h>

#include <cstring>

#include "codec/parameter_file.h"
#include "core/endian.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace {

constexpr int packing_level = 19;

std::vector<std::byte> packed(const parameter_section& section) {
  std::vector<std::byte> bytes(ZSTD_compressBound(section.values.size()));
  const std::size_t size = ZSTD_compress(bytes.data(), bytes.size(), section.values.data(),
                                         section.values.size(), packing_level);
  if (ZSTD_isError(size) != 0) throw error(errc::internal, "zstd failed on " + section.name);
  bytes.resize(size);
  return bytes;
}

void append_u32(std::vector<std::byte>& file, std::size_t value) {
  file.resize(file.size() + 4);
  store_le(file.data() + file.size() - 4, static_cast<std::uint32_t>(value));
}

}  // namespace

std::vector<std::byte> pack_parameter_file(std::span<const parameter_section> sections,
                                           file_magic magic) {
  std::vector<std::byte> file;
  std::vector<std::byte> payload;
  append_u32(file, static_cast<std::uint32_t>(magic));
  append_u32(file, sections.size());
  for (const parameter_section& section : sections) {
    const std::vector<std::byte> part = packed(section);
    char name[detail::section_name_bytes] = {};
    std::memcpy(name, section.name.data(), std::min(section.name.size(), sizeof name));
    const auto name_bytes = std::as_bytes(std::span(name));
    file.insert(file.end(), name_bytes.begin(), name_bytes.end());
    append_u32(file, section.values.size());
    append_u32(file, part.size());
    payload.insert(payload.end(), part.begin(), part.end());
  }
  file.insert(file.end(), payload.begin(), payload.end());
  const hash256 hash = sha256_of(file);
  file.insert(file.end(), hash.begin(), hash.end());
  return file;
}

}  // namespace lmzip::codec
