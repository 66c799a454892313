#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"

/// Readers of files that hold tensors: bytes to structure, no policy. A reader is total: what it
/// cannot make sense of is no error but one stretch of plain bytes, and a reason why. What it finds
/// only says how the bytes may best be coded; headers are kept as they are, never made again.
namespace lmzip::tensors {

enum class format_kind : std::uint8_t { none, safetensors, gguf, npy, npz, torch_zip };

/// The usual name, such as "safetensors"; "plain" for none.
std::string_view name_of(format_kind format) noexcept;

/// One tensor, or one storage that several tensors share.
struct tensor {
  std::string name;  ///< as the file gives it: any bytes, UTF-8 except where a zip says otherwise
  /// Type of the little-endian numbers; dtype::bytes where they are no such numbers: blocks of
  /// quantised values, big-endian numbers, records, unknown types.
  dtype type = dtype::bytes;
  /// The file's own name of the type: "BF16", "Q4_0", ">f4"; "" where it gives none.
  std::string type_name;
  /// Number of elements along each axis, in the order of memory: the last one is walked through
  /// first. Empty for a single element and where the file does not tell (then type is bytes).
  std::vector<std::uint64_t> shape;
  std::uint64_t offset = 0;        ///< in the input
  std::uint64_t bytes = 0;         ///< may be 0
  std::uint32_t record_bytes = 1;  ///< after so many bytes the same fields come again; never 0
};

/// What an input of `bytes` bytes holds.
struct tensor_layout {
  format_kind format = format_kind::none;
  /// By offset, disjoint, within the input.
  std::vector<tensor> tensors;
  /// Bytes that the layout is about: the whole input where its size was known, otherwise as many as
  /// its header promises. What comes after them is to be looked at anew.
  std::uint64_t bytes = 0;
  /// For a person: why the input, or some of it, is plain bytes though it looks like one of the
  /// formats. Printable ASCII. Empty where it looks like none of them, and where all is well.
  std::string reason;
};

inline constexpr std::size_t no_tensor = std::numeric_limits<std::size_t>::max();

/// A stretch of the input: one tensor, or the bytes between two.
struct range {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  ///< never 0
  std::size_t tensor = no_tensor;
};

/// Cuts the input into its tensors and the bytes between them, without the empty ones: the ranges
/// follow each other from 0 to `layout.bytes`.
std::vector<range> ranges_of(const tensor_layout& layout);

/// Plain bytes.
tensor_layout plain_layout(std::uint64_t bytes, std::string reason = {});

/// Limits on what readers take from an input before they know it to be sound.
struct read_limits {
  /// Of headers, directories and the like, all together. Readers need up to ten times as much
  /// memory for the layout. The default is the limit of the safetensors format.
  std::uint64_t header_bytes = 100'000'000;
};

}  // namespace lmzip::tensors
