#include "codec/parameter_file.h"

#include <zstd.h>

#include <algorithm>

#include "core/cursor.h"
#include "lmzip/error.h"
#include "vocab/shipped.h"

namespace lmzip::codec {
namespace {

// More than any section of this build has.
constexpr std::uint32_t max_section_bytes = 1U << 26;

}  // namespace

parameter_file parameter_file::parse(std::span<const std::byte> file, file_magic magic) {
  parameter_file parsed;
  cursor in(file);
  if (in.u32() != static_cast<std::uint32_t>(magic))
    throw error(errc::damaged, magic == file_magic::model ? "this is not a model file"
                                                          : "this is not a parameter file");
  const std::uint32_t sections = in.u32();
  std::vector<std::uint32_t> packed_sizes;
  for (std::uint32_t i = 0; i < sections; ++i) {
    const auto name = in.bytes(detail::section_name_bytes);
    const auto end = std::find(name.begin(), name.end(), std::byte{0});
    const auto length = static_cast<std::size_t>(end - name.begin());
    parsed.entries_.push_back({.name = {reinterpret_cast<const char*>(name.data()), length},
                               .size = in.u32(),
                               .packed = {}});
    packed_sizes.push_back(in.u32());
    if (parsed.entries_.back().size > max_section_bytes)
      throw error(errc::damaged, "a section of the file is too large");
  }
  for (std::uint32_t i = 0; i < sections; ++i)
    parsed.entries_[i].packed = in.bytes(packed_sizes[i]);
  const auto hash = in.bytes(parsed.content_hash_.size());
  std::copy(hash.begin(), hash.end(), parsed.content_hash_.begin());
  if (in.remaining() != 0) throw error(errc::damaged, "the file is too long");
  return parsed;
}

const parameter_file::entry& parameter_file::find(std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const entry& e) { return e.name == name; });
  if (found == entries_.end())
    throw error(errc::damaged, "the file has no section " + std::string(name));
  return *found;
}

bool parameter_file::has(std::string_view name) const noexcept {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const entry& e) { return e.name == name; });
}

std::vector<std::uint8_t> parameter_file::section(std::string_view name, std::size_t size) const {
  if (find(name).size != size)
    throw error(errc::damaged, "section " + std::string(name) + " does not fit this build");
  std::vector<std::uint8_t> values(size);
  unpack(name, values);
  return values;
}

void parameter_file::unpack(std::string_view name, std::span<std::uint8_t> values) const {
  const auto packed = find(name).packed;
  const std::size_t size =
      ZSTD_decompress(values.data(), values.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) != 0 || size != values.size())
    throw error(errc::damaged, "section " + std::string(name) + " is corrupt");
}

const parameter_file& shipped_parameters() {
  static const parameter_file shipped = parameter_file::parse(vocab::shipped_parameter_bytes());
  return shipped;
}

}  // namespace lmzip::codec
