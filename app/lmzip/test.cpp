#include <fmt/format.h>

#include "app/lmzip/json.h"
#include "app/lmzip/operations.h"
#include "app/lmzip/suffix.h"
#include "lmzip/decompress.h"

namespace lmzip::app {
namespace {

/// Decodes one archive and drops the result. With --keep-going damage is reported, not thrown.
totals test_file(session& on, input& in, std::string& first_damage) {
  decompress_options options = on.decoding();
  options.trees = true;
  if (on.run.coding.keep_going) {
    options.on_damage = [&](const damage& part) {
      const std::string text = describe(error(part.code, part.text, part.offset));
      if (first_damage.empty()) first_damage = text;
      on.out.error(in.name, text, exit_code_of(part.code));
    };
  }
  io::file_source from(in.handle);
  null_sink nowhere;
  on.progress.start(in.name, in.bytes(), false);
  const totals done = decompress(from, nowhere, options);
  on.progress.finish();
  return done;
}

void print_json(session& on, const std::string& name, const totals* done,
                const std::string& error) {
  if (!on.run.message.json) return;
  json object;
  add_name(object, "name", name);
  object["intact"] = error.empty();
  object["plain_bytes"] = done == nullptr ? json(nullptr) : json(done->plain_bytes);
  object["blocks"] = done == nullptr ? json(nullptr) : json(done->blocks);
  object["error"] = error.empty() ? json(nullptr) : json(error);
  on.to_stdout.write(to_line(object));
}

void test_and_report(session& on, input& in) {
  std::string first_damage;
  try {
    const totals done = test_file(on, in, first_damage);
    print_json(on, in.name, &done, first_damage);
    if (first_damage.empty()) {
      on.out.detail(in.name, fmt::format("intact, {} bytes in {} {}", done.plain_bytes, done.blocks,
                                         done.blocks == 1 ? "block" : "blocks"));
    }
  } catch (const error& failure) {
    if (failure.code() != errc::canceled) print_json(on, in.name, nullptr, describe(failure));
    throw;
  }
}

}  // namespace

void test_files(session& on) {
  for_each_file(on.run.files, on.run.input.recursive, on.out,
                [&](const std::string& path, bool found) {
                  if (found && !has_archive_suffix(path, on.run.output.suffix)) return;
                  auto in = open_archive(path, on.run.output.force, on.out);
                  if (in) test_and_report(on, *in);
                });
}

}  // namespace lmzip::app
