#include "lmzip/decompress.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "app/lmzip/foreign.h"
#include "app/lmzip/model_search.h"
#include "app/lmzip/names.h"
#include "app/lmzip/operations.h"
#include "app/lmzip/sizes.h"
#include "app/lmzip/suffix.h"
#include "core/io/signals.h"
#include "lmzip/archive_reader.h"

namespace lmzip::app {
namespace {

/// What --keep-going says about a damaged part.
std::string describe_damage(const damage& part) {
  const std::string text = describe(error(part.code, part.text, part.offset));
  if (part.plain_bytes == 0) return text;
  return fmt::format("{}: {} bytes from {} on are lost, zeros stand for them", text,
                     part.plain_bytes, part.plain_offset);
}

/// An open archive, for reading parts of it.
class input_parts final : public seekable_source {
 public:
  explicit input_parts(input& in) : in_(in) {
    if (in.status.kind != io::file_kind::regular) {
      throw io::file_error::with_text(in.name, "is not a regular file: --range needs one");
    }
  }

  std::uint64_t size() override { return in_.status.bytes; }

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override {
    return in_.handle.read_at(offset, out);
  }

 private:
  input& in_;
};

class file_decompressor {
 public:
  explicit file_decompressor(session& on)
      : on_(on), output_(on.run.output), path_(file_path_of(output_.path)) {
    to_stdout_ = output_.to_stdout || (output_.path && !path_);
  }

  void run(const std::string& path, bool found) {
    const bool to_stdout = to_stdout_ || (path == "-" && !path_);
    std::string target = path_.value_or("");
    if (!to_stdout && !path_) {
      const auto name = decompressed_name(path, output_.suffix);
      if (!name) {
        if (!found) skip_unknown_suffix(path);
        return;
      }
      target = *name;
    }
    auto in = open_input(path,
                         {.follow_links = on_.run.input.force || output_.to_stdout,
                          .any_kind = to_stdout || path_.has_value(),
                          .will_be_removed = output_.remove_input && path != "-"},
                         on_.out);
    if (!in) return;
    refuse_terminal_input(*in, output_.force);
    if (to_stdout) {
      output to(on_.to_stdout.bytes(output_.sparse));
      decompress_to(*in, to, output_.to_stdout && may_be_foreign(path));
    } else {
      output to(target,
                {.force = output_.force,
                 .sync = output_.sync || output_.remove_input,
                 .sparse = output_.sparse},
                in->status);
      decompress_to(*in, to, false);
    }
  }

 private:
  void skip_unknown_suffix(const std::string& path) {
    const auto status = io::status_of(path, false);
    if (status && status->kind == io::file_kind::directory) {
      on_.out.warning(path, "is a directory, skipped (use -r to go into it)");
    } else if (!status) {
      on_.out.error(path, "cannot open: No such file or directory", exit_code::failure);
    } else {
      on_.out.warning(
          path, fmt::format("has no suffix {}, skipped (use -c or -o)", printable(output_.suffix)));
    }
  }

  bool may_be_foreign(const std::string& path) const {
    return on_.run.input.force && !has_archive_suffix(path, output_.suffix);
  }

  void decompress_to(input& in, output& to, bool pass_foreign) {
    if (on_.run.coding.range) return decompress_part(in, to, *on_.run.coding.range);
    io::file_source from(in.handle);
    prefix_source ahead(from);
    if (pass_foreign && is_foreign(ahead)) {
      copy(ahead, to.bytes());
      return;
    }
    bool whole = true;
    decompress_options options = on_.decoding();
    if (on_.run.coding.keep_going) {
      options.on_damage = [&](const damage& part) {
        whole = false;
        on_.out.error(in.name, describe_damage(part), exit_code_of(part.code));
      };
    }
    on_.progress.start(in.name, in.bytes(), false);
    const totals done = decompress(ahead, to.bytes(), options);
    on_.progress.finish();
    on_.conclude(in, to,
                 fmt::format("{} -> {} bytes ({})", done.coded_bytes, done.plain_bytes,
                             percentage(done.coded_bytes, done.plain_bytes)),
                 whole);
  }

  void decompress_part(input& in, output& to, const plain_range& part) {
    input_parts from(in);
    archive_reader archive(from, {.cache_bytes = 0,
                                  .memory_limit = on_.run.coding.memory_limit.value_or(0),
                                  .find_model = find_models(on_.model),
                                  .base = on_.base});
    const std::uint64_t begin = std::min(part.offset, archive.size());
    const std::uint64_t end = begin + std::min(part.bytes, archive.size() - begin);
    const std::uint64_t most = on_.run.coding.output_limit;
    if (most != 0 && end - begin > most) {
      throw error(errc::memory_limit,
                  fmt::format("decodes to more than the limit of {} bytes", most));
    }
    std::vector<std::byte> piece(std::size_t{1} << 20);
    on_.progress.start(in.name, end - begin, true);
    for (std::uint64_t at = begin; at < end;) {
      io::throw_if_interrupted();
      const std::size_t count = archive.read(
          at, std::span(piece).first(
                  static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), end - at))));
      to.bytes().write(std::span(piece).first(count));
      at += count;
      on_.on_progress({at - begin, 0});
    }
    on_.progress.finish();
    on_.conclude(
        in, to, fmt::format("{} of {} bytes from {} on", end - begin, archive.size(), begin), true);
  }

  session& on_;
  const output_settings& output_;
  std::optional<std::string> path_;
  bool to_stdout_ = false;
};

}  // namespace

void decompress_files(session& on) {
  file_decompressor work(on);
  for_each_file(on.run.files, on.run.input.recursive, on.out,
                [&](const std::string& path, bool found) { work.run(path, found); });
}

}  // namespace lmzip::app
