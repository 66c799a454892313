#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/lmzip/bases.h"
#include "app/lmzip/model_search.h"
#include "app/lmzip/operations.h"
#include "app/lmzip/sizes.h"
#include "core/io/signals.h"
#include "lmzip/archive_reader.h"
#include "lmzip/inspect.h"

namespace lmzip::app {
namespace {

/// The plain bytes of an archive in order.
class plain_source final : public source {
 public:
  explicit plain_source(archive_reader& archive) : archive_(archive) {}

  std::size_t read(std::span<std::byte> out) override {
    io::throw_if_interrupted();
    const std::size_t count = archive_.read(done_, out);
    done_ += count;
    return count;
  }

 private:
  archive_reader& archive_;
  std::uint64_t done_ = 0;
};

/// What of an archive's members a new archive can keep.
struct kept_settings {
  std::string name;
  bool strong = true;
  unsigned base_depth = 0;
};

kept_settings settings_of(input& in) {
  io::file_source from(in.handle);
  const auto members = inspect(from);
  kept_settings kept;
  for (const member_description& member : members) {
    kept.strong = kept.strong && member.strong;
    kept.base_depth = std::max(kept.base_depth, member.base_depth);
  }
  if (members.size() == 1) kept.name = members.front().name;
  return kept;
}

compress_options options_for(session& on, const kept_settings& kept, const base_handle& onto) {
  const coding_settings& coding = on.run.coding;
  compress_options options;
  options.level = coding.level.value_or(default_level);
  options.model = coding.level.value_or(default_level) >= 8 ? on.model : nullptr;
  options.base = onto;
  options.block_bytes = coding.block_bytes;
  options.threads = coding.threads.value_or(1);
  options.memory_limit = coding.memory_limit.value_or(0);
  options.verify = true;
  options.strong = coding.strong || kept.strong;
  options.name = kept.name;
  options.on_progress = [&on](const lmzip::progress& now) { on.on_progress(now); };
  options.stop = on.stop.get_token();
  return options;
}

/// The base that archives are moved to, unless their chain becomes too long.
base_handle open_target(session& on) {
  coding_settings coding = on.run.coding;
  coding.bases = coding.onto;
  base_handle onto = open_bases(coding, on.model, "--onto");
  if (onto != nullptr && describe_base(onto).depth + 1 > coding.delta_depth)
    throw error(errc::usage, fmt::format("--onto: the chain would have {} archives, more than {} "
                                         "(--delta-depth)",
                                         describe_base(onto).depth + 1, coding.delta_depth));
  return onto;
}

/// An archive that others may need must not need itself, nor stand behind them in a chain.
void check_replacement(const input& in, const kept_settings& kept, const base_handle& onto) {
  if (onto == nullptr) return;
  if (has_file(onto, in.status))
    throw error(errc::usage, "--onto: the archive itself is no base for it");
  if (describe_base(onto).depth + 1 > std::max(kept.base_depth, 1U))
    throw error(errc::usage,
                "--onto: the chain would become longer, and archives that need this "
                "one could not be decompressed any more (use -o)");
}

void rebase_to(session& on, const input& in, const kept_settings& kept, const std::string& path,
               bool replace) {
  const base_handle onto = open_target(on);
  if (replace) check_replacement(in, kept, onto);
  archive_reader archive(in.path, {.cache_bytes = 0,
                                   .memory_limit = on.run.coding.memory_limit.value_or(0),
                                   .find_model = find_models(on.model),
                                   .base = on.base});
  // A file that is replaced may be the input itself: it is whole and synced then.
  output to(path, {.force = replace || on.run.output.force, .sync = true},
            replace ? io::file_status{} : in.status);
  plain_source from(archive);
  on.progress.start(in.name, archive.size(), true);
  const totals done = compress(from, to.bytes(), options_for(on, kept, onto));
  on.progress.finish();
  if (done.plain_bytes != archive.size())
    throw error(errc::internal, "the archive became another one while it was read");
  on.conclude(in, to,
              fmt::format("{} -> {} bytes ({})", in.status.bytes, done.coded_bytes,
                          percentage(done.coded_bytes, in.status.bytes)),
              true);
}

}  // namespace

void rebase_file(session& on) {
  const auto path = file_path_of(on.run.output.path);
  for_each_file(on.run.files, false, on.out, [&](const std::string& name, bool) {
    auto in = open_input(name, {.follow_links = true}, on.out);
    if (!in) return;
    const kept_settings kept = settings_of(*in);
    if (kept.base_depth == 0 && !path && on.run.coding.onto.empty())
      return on.out.note(in->name, "needs no base: nothing to do");
    if (kept.base_depth > 0 && on.base == nullptr)
      throw error(errc::missing, "needs a base, and none was given");
    rebase_to(on, *in, kept, path.value_or(name), !path);
  });
}

}  // namespace lmzip::app
