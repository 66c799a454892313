#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// What a file holds, judged by its first bytes, and an order of files by it: like files stand
/// together in it, so that they share blocks and a codec sees them one after the other.
namespace lmzip::archive {

/// In the order in which files of these kinds stand.
enum class content_kind : std::uint8_t {
  empty,
  text,       ///< UTF-8, or single bytes without control codes
  wide_text,  ///< UTF-16 or UTF-32 with a byte order mark
  database,   ///< SQLite
  tar,
  disk_image,  ///< a file system: ext2 to ext4, ISO 9660
  bytecode,    ///< Python's, Java's, WebAssembly
  elf,
  pe,      ///< programs of Windows
  mach_o,  ///< programs of macOS
  object_archive,
  font,
  picture,         ///< not compressed: BMP, TIFF, icons
  sound,           ///< not compressed: WAV, AIFF
  document,        ///< PDF, and compound files of old office programs
  binary,          ///< none of the others
  tensors,         ///< safetensors, GGUF, npy, PyTorch's zip archives
  packed_picture,  ///< PNG, JPEG, GIF, WebP
  packed_media,    ///< sound and films
  packed_data,     ///< gzip, zstd, xz, zip and the like
};

/// A word for it, such as "text"; for people.
std::string_view name_of(content_kind kind) noexcept;

/// Whether files of this kind are compressed already.
constexpr bool is_packed(content_kind kind) noexcept {
  return kind >= content_kind::packed_picture;
}

/// As many first bytes as kind_of() makes use of.
inline constexpr std::size_t kind_prefix_bytes = 4096;

/// The kind of a file with these first bytes. `total` is its size. Any bytes are safe.
content_kind kind_of(std::span<const std::byte> prefix, std::uint64_t total);

/// Extension of the last component of `path` without the dot, in lower case (ASCII): "gz" of
/// "a.tar.gz", "so" of "libz.so.1.2"; empty if there is none, or if it has more than 16 bytes.
std::string extension_of(std::string_view path);

/// Last component of `path`.
std::string_view base_name_of(std::string_view path) noexcept;

/// Where a file stands among the new files of a snapshot. Compared field by field; bytes compare as
/// unsigned numbers, whatever the locale. Different paths are never equal. Files of one folder are
/// more alike than files of one name in different folders: by 0.8 % at level 6.
struct file_order {
  content_kind kind = content_kind::empty;
  std::string extension;
  std::string path;

  friend std::strong_ordering operator<=>(const file_order&, const file_order&) = default;
};

file_order order_of(content_kind kind, std::string_view path);

}  // namespace lmzip::archive
