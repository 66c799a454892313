#include "archive/chunks/kind.h"

#include <algorithm>
#include <array>

#include "core/endian.h"
#include "formats/tensors/detect.h"

namespace lmzip::archive {
namespace {

using namespace std::string_view_literals;

/// Bytes at a fixed place that give a kind away.
struct signature {
  std::size_t offset;
  std::string_view bytes;
  content_kind kind;
};

// The first that fits counts.
constexpr std::array signatures = {
    signature{0,
              "\x7f"
              "ELF"sv,
              content_kind::elf},
    signature{0, "MZ"sv, content_kind::pe},
    signature{0, "\xcf\xfa\xed\xfe"sv, content_kind::mach_o},
    signature{0, "\xce\xfa\xed\xfe"sv, content_kind::mach_o},
    signature{0, "\xca\xfe\xba\xbe"sv, content_kind::bytecode},
    signature{0, "\0asm"sv, content_kind::bytecode},
    signature{0, "!<arch>\ndebian-binary"sv, content_kind::packed_data},
    signature{0, "!<arch>\n"sv, content_kind::object_archive},
    signature{0, "SQLite format 3\0"sv, content_kind::database},
    signature{257, "ustar"sv, content_kind::tar},
    signature{1080, "\x53\xef"sv, content_kind::disk_image},
    signature{0, "%PDF-"sv, content_kind::document},
    signature{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, content_kind::document},
    signature{0, "\0\1\0\0\0"sv, content_kind::font},
    signature{0, "OTTO\0"sv, content_kind::font},
    signature{0, "ttcf\0"sv, content_kind::font},
    signature{0, "BM"sv, content_kind::picture},
    signature{0, "II*\0"sv, content_kind::picture},
    signature{0, "MM\0*"sv, content_kind::picture},
    signature{0, "\0\0\1\0"sv, content_kind::picture},
    signature{0, "\x89PNG\r\n\x1a\n"sv, content_kind::packed_picture},
    signature{0, "\xff\xd8\xff"sv, content_kind::packed_picture},
    signature{0, "GIF8"sv, content_kind::packed_picture},
    signature{8, "WEBP"sv, content_kind::packed_picture},
    signature{4, "ftyp"sv, content_kind::packed_media},
    signature{0, "OggS"sv, content_kind::packed_media},
    signature{0, "fLaC"sv, content_kind::packed_media},
    signature{0, "ID3"sv, content_kind::packed_media},
    signature{0, "\xff\xfb"sv, content_kind::packed_media},
    signature{0, "\x1a\x45\xdf\xa3"sv, content_kind::packed_media},
    signature{8, "WAVE"sv, content_kind::sound},
    signature{8, "AIFF"sv, content_kind::sound},
    signature{0, "\x1f\x8b\x08"sv, content_kind::packed_data},
    signature{0, "\x28\xb5\x2f\xfd"sv, content_kind::packed_data},
    signature{0,
              "\xfd"
              "7zXZ\0"sv,
              content_kind::packed_data},
    signature{0, "BZh"sv, content_kind::packed_data},
    signature{0, "\x04\x22\x4d\x18"sv, content_kind::packed_data},
    signature{0, "7z\xbc\xaf\x27\x1c"sv, content_kind::packed_data},
    signature{0, "Rar!\x1a\7"sv, content_kind::packed_data},
    signature{0, "PK\3\4"sv, content_kind::packed_data},
    signature{0, "PK\5\6"sv, content_kind::packed_data},
    signature{0, "LZIP"sv, content_kind::packed_data},
    signature{0, "wOF2"sv, content_kind::packed_data},
    signature{0, "wOFF"sv, content_kind::packed_data},
    signature{0, "PACK\0"sv, content_kind::packed_data},
    signature{0, "\xdclmz"sv, content_kind::packed_data},
};

bool has(std::string_view text, const signature& mark) {
  return text.size() > mark.offset && text.substr(mark.offset).starts_with(mark.bytes);
}

/// Python puts the version of the interpreter and CR LF in front; 3.0 to 3.15 so far.
bool is_python_bytecode(std::string_view text) {
  if (text.size() < 16 || text.substr(2, 2) != "\r\n") return false;
  const auto version = load_le<std::uint16_t>(text.data());
  return version >= 3000 && version < 4000;
}

bool is_wide_text(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
         text.starts_with("\0\0\xfe\xff"sv);
}

/// No NUL, and hardly any control codes: text of any 8-bit encoding.
bool is_text(std::string_view text) {
  std::size_t controls = 0;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code == 0) return false;
    controls += code < 32 && code != '\n' && code != '\r' && code != '\t' && code != '\f' &&
                code != 27 && code != '\b';
  }
  return controls * 100 <= text.size();
}

bool holds_tensors(std::span<const std::byte> prefix, std::uint64_t total) {
  using verdict = tensors::probe_result::verdict;
  // Of a large header there is less here than the reader wants; then the beginning is enough.
  const auto result = tensors::probe({.bytes = prefix, .total = total});
  if (result.is == verdict::more) return prefix.size() < total;
  return result.is == verdict::needs_the_end || result.layout.format != tensors::format_kind::none;
}

}  // namespace

std::string_view name_of(content_kind kind) noexcept {
  switch (kind) {
    case content_kind::empty:
      return "empty";
    case content_kind::text:
      return "text";
    case content_kind::wide_text:
      return "wide text";
    case content_kind::database:
      return "database";
    case content_kind::tar:
      return "tar";
    case content_kind::disk_image:
      return "disk image";
    case content_kind::bytecode:
      return "bytecode";
    case content_kind::elf:
      return "ELF";
    case content_kind::pe:
      return "PE";
    case content_kind::mach_o:
      return "Mach-O";
    case content_kind::object_archive:
      return "object archive";
    case content_kind::font:
      return "font";
    case content_kind::picture:
      return "picture";
    case content_kind::sound:
      return "sound";
    case content_kind::document:
      return "document";
    case content_kind::binary:
      return "binary";
    case content_kind::tensors:
      return "tensors";
    case content_kind::packed_picture:
      return "packed picture";
    case content_kind::packed_media:
      return "packed media";
    case content_kind::packed_data:
      return "packed data";
  }
  return "unknown";
}

content_kind kind_of(std::span<const std::byte> prefix, std::uint64_t total) {
  prefix = prefix.first(std::min(prefix.size(), kind_prefix_bytes));
  if (prefix.empty()) return content_kind::empty;
  if (holds_tensors(prefix, std::max<std::uint64_t>(total, prefix.size())))
    return content_kind::tensors;
  const std::string_view text(reinterpret_cast<const char*>(prefix.data()), prefix.size());
  if (is_wide_text(text)) return content_kind::wide_text;
  // A text may well begin with two letters that mean something elsewhere; all but the last byte,
  // since a prefix that ends within a character is text too.
  const bool likely_text = is_text(text);
  for (const signature& mark : signatures)
    if (has(text, mark) && (!likely_text || mark.bytes.size() > 4)) return mark.kind;
  if (likely_text) return content_kind::text;
  return is_python_bytecode(text) ? content_kind::bytecode : content_kind::binary;
}

std::string_view base_name_of(std::string_view path) noexcept {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string extension_of(std::string_view path) {
  constexpr std::size_t longest = 16;
  const std::string_view name = base_name_of(path);
  if (name.find(".so.") != std::string_view::npos) return "so";
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || name.size() - dot - 1 > longest) return {};
  std::string extension(name.substr(dot + 1));
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
}

file_order order_of(content_kind kind, std::string_view path) {
  return {kind, extension_of(path), std::string(path)};
}

}  // namespace lmzip::archive
