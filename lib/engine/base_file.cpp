#include "engine/base_file.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "formats/container/format.h"
#include "formats/tensors/detect.h"
#include "lmzip/error.h"

namespace lmzip::engine {
namespace {

// Larger headers are not read: they take up to 11 times as much memory.
constexpr tensors::read_limits limits{.header_bytes = std::uint64_t{32} << 20};

}  // namespace

bool is_archive(seekable_source& from) {
  std::array<std::byte, container::magic.size()> start{};
  return from.read_at(0, start) == start.size() && start == container::magic;
}

base_file::base_file(base_input input, const archive_reader_options& options)
    : input_(std::move(input)) {
  if (input_.from == nullptr) throw error(errc::usage, "a base without a source");
  if (engine::is_archive(*input_.from)) archive_.emplace(*input_.from, options);
  size_ = archive_ ? archive_->size() : input_.from->size();
}

std::size_t base_file::read_some(std::uint64_t offset, std::span<std::byte> out) {
  if (archive_) return archive_->read(offset, out);
  const std::scoped_lock lock(reading_);
  const std::size_t count = input_.from->read_at(offset, out);
  if (count > out.size()) throw error(errc::internal, "a source returned more than was asked");
  return count;
}

void base_file::read(std::uint64_t offset, std::span<std::byte> out) {
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t count = read_some(offset + done, out.subspan(done));
    if (count == 0) throw error(errc::io, "the base became smaller while it was read");
    done += count;
  }
}

tensors::tensor_layout base_file::read_tensors() {
  const tensors::random_input all{
      [this](std::uint64_t offset, std::span<std::byte> out) { return read_some(offset, out); },
      size_};
  tensors::tensor_layout layout = tensors::read_layout(all, limits);
  if (layout.format == tensors::format_kind::none) {
    auto joined = read_joined();
    if (!joined.tensors.empty()) return joined;
  }
  if (layout.tensors.empty())
    throw error(errc::usage, "holds no tensors, so nothing can be compressed against it" +
                                 (layout.reason.empty() ? "" : ": " + layout.reason));
  return layout;
}

/// Files that are known from their beginnings may follow each other, as in archives that were
/// joined.
tensors::tensor_layout base_file::read_joined() {
  tensors::tensor_layout joined = tensors::plain_layout(size_);
  for (std::uint64_t at = 0; at < size_;) {
    std::vector<std::byte> prefix;
    const auto peek = [&](std::size_t count) -> std::span<const std::byte> {
      prefix.resize(static_cast<std::size_t>(std::min<std::uint64_t>(count, size_ - at)));
      read(at, prefix);
      return prefix;
    };
    tensors::probe_result found = tensors::probe_with(peek, std::nullopt, limits);
    const std::uint64_t bytes = found.layout.bytes;
    if (found.is != tensors::probe_result::verdict::decided || bytes == 0 || bytes > size_ - at ||
        found.layout.format == tensors::format_kind::none)
      break;
    for (tensors::tensor& t : found.layout.tensors) {
      t.offset += at;
      joined.tensors.push_back(std::move(t));
    }
    at += bytes;
  }
  return joined;
}

}  // namespace lmzip::engine
