#include "lmzip/compress.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/lmzip/bases.h"
#include "app/lmzip/model_search.h"
#include "app/lmzip/names.h"
#include "app/lmzip/operations.h"
#include "app/lmzip/sizes.h"
#include "app/lmzip/suffix.h"

namespace lmzip::app {
namespace {

/// A model is for level 8 unless another is asked for.
int level_of(const session& on) {
  constexpr int model_level = 8;
  return on.run.coding.level.value_or(on.model == nullptr ? default_level : model_level);
}

/// Leaves the base out where archives against it would be at the end of too long a chain.
void bound_chain(session& on) {
  const unsigned depth = describe_base(on.base).depth + 1, most = on.run.coding.delta_depth;
  if (depth <= most) return;
  on.out.detail("", fmt::format("the base is not used: the chain would have {} archives, more than "
                                "{} (--delta-depth)",
                                depth, most));
  on.base = nullptr;
}

class file_compressor {
 public:
  explicit file_compressor(session& on)
      : on_(on), output_(on.run.output), path_(file_path_of(output_.path)) {
    to_stdout_ = output_.to_stdout || (output_.path && !path_);
  }

  void run(const std::string& path, bool found) {
    const bool to_stdout = to_stdout_ || (path == "-" && !path_);
    const bool named_by_rule = !to_stdout && !path_;
    if (named_by_rule && !on_.run.input.force && has_archive_suffix(path, output_.suffix)) {
      if (!found) on_.out.warning(path, "has the suffix of an archive, skipped (use -f)");
      return;
    }
    refuse_terminal(to_stdout && on_.to_stdout.is_terminal());
    auto in = open_input(path,
                         {.follow_links = on_.run.input.force || output_.to_stdout,
                          .any_kind = !named_by_rule,
                          .will_be_removed = output_.remove_input && path != "-"},
                         on_.out);
    if (!in) return;
    if (output_.remove_input && has_file(on_.base, in->status))
      throw io::file_error::with_text(path, "is its own base: it cannot be used with --rm");
    if (to_stdout) {
      output to(on_.to_stdout.bytes(false));
      refuse_own_output(*in);
      compress_to(*in, to);
    } else {
      output to(path_.value_or(path + output_.suffix),
                {.force = output_.force, .sync = output_.sync || output_.remove_input}, in->status);
      refuse_terminal(to.is_terminal());
      compress_to(*in, to);
    }
  }

 private:
  void refuse_terminal(bool is_terminal) const {
    if (!is_terminal || output_.force) return;
    throw io::file_error::with_text("(standard output)",
                                    "compressed data is not written to a terminal "
                                    "(use -o FILE, or -f to force it)");
  }

  /// Reading what is being appended would never end.
  void refuse_own_output(const input& in) const {
    const io::file_status to = on_.to_stdout.status();
    if (to.kind == io::file_kind::regular && io::is_same_file(to, in.status)) {
      throw io::file_error::with_text(in.name, "is the input and the output");
    }
  }

  compress_options options(const input& in) const {
    const coding_settings& coding = on_.run.coding;
    compress_options options;
    options.level = level_of(on_);
    options.model = on_.model;
    options.model_file = on_.model_file;
    options.base = on_.base;
    options.block_bytes = coding.block_bytes;
    options.window = coding.window;
    options.search = coding.search;
    options.threads = coding.threads.value_or(1);
    options.memory_limit = coding.memory_limit.value_or(0);
    options.verify = coding.verify.value_or(false) || output_.remove_input;
    options.strong = coding.strong;
    if (coding.store_name) {
      options.name = !coding.name.empty()     ? coding.name
                     : in.is_standard_input() ? ""
                                              : base_name(in.path);
    }
    options.on_progress = [&on = on_](const lmzip::progress& now) { on.on_progress(now); };
    options.stop = on_.stop.get_token();
    return options;
  }

  /// A memory limit lowers the number of threads; whoever wonders about the time wants to know.
  void explain_threads(const compress_options& options) const {
    if (options.threads < 2 || options.memory_limit == 0) return;
    unsigned threads = options.threads;
    while (threads > 1 && compress_memory(options, threads) > options.memory_limit) --threads;
    if (threads == options.threads) return;
    on_.out.detail("", fmt::format("{} of {} threads are used because of the memory limit", threads,
                                   options.threads));
  }

  void compress_to(input& in, output& to) {
    io::file_source from(in.handle);
    const compress_options how = options(in);
    explain_threads(how);
    on_.progress.start(in.name, in.bytes(), true);
    const totals done = compress(from, to.bytes(), how);
    on_.progress.finish();
    on_.conclude(in, to,
                 fmt::format("{} -> {} bytes ({})", done.plain_bytes, done.coded_bytes,
                             percentage(done.coded_bytes, done.plain_bytes)),
                 true);
  }

  session& on_;
  const output_settings& output_;
  std::optional<std::string> path_;
  bool to_stdout_ = false;
};

}  // namespace

void compress_files(session& on) {
  if (on.run.coding.embed_model) {
    const int level = level_of(on);
    const model_handle model = on.model != nullptr ? on.model : model_of_level(level);
    if (model == nullptr)
      throw error(errc::usage,
                  fmt::format("--embed-model: level {} has no model (8 and 9 do)", level));
    on.model_file = file_of_model(model, on.run.coding.model);
  }
  if (on.base != nullptr) bound_chain(on);
  file_compressor work(on);
  for_each_file(on.run.files, on.run.input.recursive, on.out,
                [&](const std::string& path, bool found) { work.run(path, found); });
}

}  // namespace lmzip::app
