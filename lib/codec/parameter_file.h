#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.h"

namespace lmzip::codec {

/// A section of a parameter file (vocab/SPEC.md) before it is packed.
struct parameter_section {
  std::string name;  ///< 1 … 8 ASCII characters
  std::vector<std::uint8_t> values;
};

/// First bytes of a file of sections, as a little-endian number.
enum class file_magic : std::uint32_t {
  parameters = 0x50'5a'4d'4c,  ///< "LMZP"
  model = 0x4e'5a'4d'4c,       ///< "LMZN"
};

/// The parameter file: what codecs have learned beforehand, in named sections that are packed one
/// by one, so that a codec unpacks only its own. Immutable; the bytes outlive the object.
class parameter_file {
 public:
  /// Reads the table of sections. Throws error(damaged) for any fault in it. The content hash is
  /// taken as it stands.
  static parameter_file parse(std::span<const std::byte> file,
                              file_magic magic = file_magic::parameters);

  /// The values of a section. Throws error(damaged) if there is none of that name and size, or if
  /// it is corrupt.
  std::vector<std::uint8_t> section(std::string_view name, std::size_t size) const;

  /// Number of values in a section. Throws error(damaged) if there is none of that name.
  std::size_t size_of(std::string_view name) const { return find(name).size; }

  /// Writes the values of a section to memory of that size. Throws error(damaged).
  void unpack(std::string_view name, std::span<std::uint8_t> values) const;

  bool has(std::string_view name) const noexcept;

  /// SHA-256 over the rest of the file, as it stands at the file's end: names the content.
  const hash256& content_hash() const noexcept { return content_hash_; }

 private:
  struct entry {
    std::string_view name;
    std::uint32_t size;
    std::span<const std::byte> packed;
  };

  const entry& find(std::string_view name) const;

  std::vector<entry> entries_;
  hash256 content_hash_{};
};

/// The file that is part of the library, parsed at the first call. Safe to call from several
/// threads.
const parameter_file& shipped_parameters();

/// A file of the sections. The encoder library has it.
std::vector<std::byte> pack_parameter_file(std::span<const parameter_section> sections,
                                           file_magic magic = file_magic::parameters);

namespace detail {
inline constexpr std::size_t section_name_bytes = 8;
}  // namespace detail

}  // namespace lmzip::codec
