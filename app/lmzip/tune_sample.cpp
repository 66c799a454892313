#include "app/lmzip/tune_sample.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <span>
#include <utility>

#include "app/lmzip/input.h"
#include "app/lmzip/settings.h"
#include "app/lmzip/suffix.h"
#include "core/io/signals.h"

namespace lmzip::app {
namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;

struct range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// A file of which a part may be taken. What has no size, or cannot be opened twice, is held.
struct candidate {
  std::string path;
  std::uint64_t bytes = 0;
  std::optional<std::vector<std::byte>> held;
};

/// Reads up to `count` bytes; fewer only at the end of the file.
std::vector<std::byte> read_up_to(io::file& from, std::uint64_t count) {
  std::vector<std::byte> bytes;
  while (bytes.size() < count) {
    io::throw_if_interrupted();
    const std::size_t filled = bytes.size();
    bytes.resize(filled + static_cast<std::size_t>(std::min(piece_bytes, count - filled)));
    const std::size_t got = from.read(std::span(bytes).subspan(filled));
    bytes.resize(filled + got);
    if (got == 0) break;
  }
  return bytes;
}

std::vector<candidate> find_candidates(const std::vector<std::string>& files, std::uint64_t most,
                                       messages& out) {
  std::vector<candidate> candidates;
  const output_settings defaults;
  for_each_file(files, true, out, [&](const std::string& path, bool found) {
    if (found && has_archive_suffix(path, defaults.suffix)) return;
    auto in = open_input(path, {.follow_links = true, .any_kind = true}, out);
    if (!in) return;
    if (in->handle.is_terminal()) {
      throw io::file_error::with_text(in->name, "the sample is not read from a terminal");
    }
    candidate next{path, 0, std::nullopt};
    if (in->is_standard_input() || !in->bytes()) {
      next.held = read_up_to(in->handle, most);
      next.bytes = next.held->size();
    } else {
      next.bytes = *in->bytes();
    }
    candidates.push_back(std::move(next));
  });
  io::throw_if_interrupted();
  return candidates;
}

/// The parts to take of `total` bytes, in ascending order, without overlap.
std::vector<range> choose_pieces(std::uint64_t total, std::uint64_t most) {
  if (total <= most) return {{0, total}};
  const std::uint64_t count = std::max<std::uint64_t>(most / piece_bytes, 1);
  const std::uint64_t length = std::min(most, piece_bytes);
  const std::uint64_t last = total - length;
  if (count == 1) return {{last / 2, last / 2 + length}};
  std::vector<range> pieces;
  const std::uint64_t gaps = count - 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t begin = last / gaps * i + last % gaps * i / gaps;
    pieces.push_back({begin, begin + length});
  }
  return pieces;
}

/// Appends the `parts` of a file, which are relative to it, to the sample.
void take_parts(const candidate& from, const std::vector<range>& parts, messages& out,
                std::vector<std::byte>& sample) {
  if (from.held) {
    for (const range& part : parts) {
      const auto begin = from.held->begin();
      sample.insert(sample.end(), begin + static_cast<std::ptrdiff_t>(part.begin),
                    begin + static_cast<std::ptrdiff_t>(part.end));
    }
    return;
  }
  try {
    io::file handle = io::file::open_for_reading(from.path, true);
    std::uint64_t position = 0;
    for (const range& part : parts) {
      handle.skip(part.begin - position);
      const auto bytes = read_up_to(handle, part.end - part.begin);
      sample.insert(sample.end(), bytes.begin(), bytes.end());
      if (bytes.size() < part.end - part.begin) {
        out.warning(from.path, "changed while it was read");
        return;
      }
      position = part.end;
    }
  } catch (const error& failure) {
    if (failure.code() == errc::canceled) throw;
    out.report(std::current_exception(), from.path);
  }
}

}  // namespace

tune_sample take_sample(const std::vector<std::string>& files, std::uint64_t most, messages& out) {
  const std::vector<candidate> candidates = find_candidates(files, most, out);
  tune_sample result;
  result.files = candidates.size();
  for (const candidate& each : candidates) result.plain_bytes += each.bytes;
  const std::vector<range> pieces = choose_pieces(result.plain_bytes, most);
  std::uint64_t begin = 0;  // of the file among all bytes
  for (const candidate& each : candidates) {
    const std::uint64_t end = begin + each.bytes;
    std::vector<range> parts;
    for (const range& piece : pieces) {
      const range part{std::max(piece.begin, begin), std::min(piece.end, end)};
      if (part.begin < part.end) parts.push_back({part.begin - begin, part.end - begin});
    }
    if (!parts.empty()) take_parts(each, parts, out, result.bytes);
    begin = end;
  }
  return result;
}

}  // namespace lmzip::app
