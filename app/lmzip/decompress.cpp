#include "lmzip/decompress.h"

#include <fmt/format.h>

#include "app/lmzip/foreign.h"
#include "app/lmzip/names.h"
#include "app/lmzip/operations.h"
#include "app/lmzip/sizes.h"
#include "app/lmzip/suffix.h"

namespace lmzip::app {
namespace {

/// What --keep-going says about a damaged part.
std::string describe_damage(const damage& part) {
  const std::string text = describe(error(part.code, part.text, part.offset));
  if (part.plain_bytes == 0) return text;
  return fmt::format("{}: {} bytes from {} on are lost, zeros stand for them", text,
                     part.plain_bytes, part.plain_offset);
}

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
