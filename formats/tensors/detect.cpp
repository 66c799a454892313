#include "formats/tensors/detect.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/tensors/gguf.h"
#include "formats/tensors/npy.h"
#include "formats/tensors/safetensors.h"
#include "formats/tensors/zip_tensors.h"

namespace lmzip::tensors {
namespace {

constexpr std::size_t enough_to_choose = 72;
constexpr std::size_t first_look = 4096;
constexpr std::string_view pointer_start = "version https://git-lfs.github.com/spec/";
/// PROTO 2, then the magic number 0x1950a86a20f9469cfc6c as a long of ten bytes.
constexpr std::string_view old_torch_start =
    "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";

probe_result probe_zip(const beginning& from) {
  const auto is_likely = begins_like_tensor_zip(from);
  if (!is_likely) return probe_result::ask_for(first_look);
  if (*is_likely) return {.is = probe_result::verdict::needs_the_end, .wanted = 0, .layout = {}};
  return probe_result::decide(plain_layout(from.known_bytes()));
}

/// Why a file that somebody may take for a checkpoint is none.
std::string reason_of(std::string_view text) {
  if (text.starts_with(pointer_start))
    return "a git-lfs pointer: the file that it stands for is not here";
  if (text.starts_with(old_torch_start))
    return "PyTorch's format from before version 1.6 is not cut into tensors";
  return {};
}

}  // namespace

probe_result probe(const beginning& from, const read_limits& limits) {
  if (from.bytes.size() < enough_to_choose && !from.is_all())
    return probe_result::ask_for(enough_to_choose);
  if (looks_like_gguf(from)) return probe_gguf(from, limits);
  if (looks_like_npy(from.bytes)) return probe_npy(from, limits);
  if (looks_like_zip(from)) return probe_zip(from);
  if (looks_like_safetensors(from)) return probe_safetensors(from, limits);
  const std::string_view text(reinterpret_cast<const char*>(from.bytes.data()), from.bytes.size());
  return probe_result::decide(plain_layout(from.known_bytes(), reason_of(text)));
}

probe_result probe_with(const peek_function& peek, std::optional<std::uint64_t> total,
                        const read_limits& limits) {
  // No more than the header may have to be decoded for it.
  std::size_t count = enough_to_choose;
  for (;;) {
    beginning from{.bytes = peek(count), .total = total};
    if (from.bytes.size() < count) from.total = from.bytes.size();
    probe_result result = probe(from, limits);
    if (result.is != probe_result::verdict::more) return result;
    count = static_cast<std::size_t>(std::max<std::uint64_t>(result.wanted, count + 1));
  }
}

tensor_layout read_layout(const random_input& in, const read_limits& limits) {
  std::vector<std::byte> prefix;
  const auto peek = [&](std::size_t count) -> std::span<const std::byte> {
    const std::size_t have = prefix.size();
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(count, in.bytes));
    if (wanted > have) {
      prefix.resize(wanted);
      const auto added = std::span(prefix).subspan(have);
      prefix.resize(have + read_fully(in, have, added));
    }
    return std::span(prefix).first(std::min(count, prefix.size()));
  };
  probe_result result = probe_with(peek, in.bytes, limits);
  if (result.is == probe_result::verdict::needs_the_end) return read_tensor_zip(in, limits);
  if (result.layout.format == format_kind::npy) return read_npy_arrays(in, limits);
  return std::move(result.layout);
}

}  // namespace lmzip::tensors
