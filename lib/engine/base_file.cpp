#include "engine/base_file.h"

#include <algorithm>
#include <array>
#include <utility>

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

/// The tensors of one of the files whose plain bytes these are.
tensors::tensor_layout base_file::read_part(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t size = end - begin;
  const tensors::random_input part{
      [this, begin, size](std::uint64_t offset, std::span<std::byte> out) -> std::size_t {
        if (offset >= size) return 0;
        const auto count = std::min<std::uint64_t>(out.size(), size - offset);
        return read_some(begin + offset, out.first(static_cast<std::size_t>(count)));
      },
      size};
  return tensors::read_layout(part, limits);
}

std::vector<tensors::tensor> base_file::read_tensors() {
  std::vector<std::uint64_t> begins{0};
  if (archive_) begins = archive_->member_offsets();
  std::vector<tensors::tensor> all;
  std::string reason;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::uint64_t end = i + 1 < begins.size() ? begins[i + 1] : size_;
    tensors::tensor_layout layout = read_part(begins[i], end);
    if (reason.empty()) reason = layout.reason;
    for (tensors::tensor& t : layout.tensors) {
      t.offset += begins[i];
      all.push_back(std::move(t));
    }
  }
  if (all.empty())
    throw error(errc::usage, "holds no tensors, so nothing can be compressed against it" +
                                 (reason.empty() ? "" : ": " + reason));
  return all;
}

}  // namespace lmzip::engine
