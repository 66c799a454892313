#include <fmt/format.h>

#include "app/lmzip/json.h"
#include "app/lmzip/operations.h"
#include "app/lmzip/suffix.h"
#include "lmzip/decompress.h"

namespace lmzip::app {
namespace {

/// Decodes one archive and drops the result.
totals test_file(session& on, input& in) {
  decompress_options options = on.decoding();
  if (on.run.coding.keep_going) {
    options.on_damage = [&](const damage& part) {
      on.out.error(in.name, describe(error(part.code, part.text, part.offset)),
                   exit_code_of(part.code));
    };
  }
  io::file_source from(in.handle);
  null_sink nowhere;
  on.progress.start(in.name, in.bytes(), false);
  const totals done = decompress(from, nowhere, options);
  on.progress.finish();
  return done;
}

}  // namespace

void test_files(session& on) {
  for_each_file(
      on.run.files, on.run.input.recursive, on.out, [&](const std::string& path, bool found) {
        if (found && !has_archive_suffix(path, on.run.output.suffix)) return;
        auto in = open_input(path, {.follow_links = true, .any_kind = true}, on.out);
        if (!in) return;
        if (!on.run.output.force && in->handle.is_terminal()) {
          throw io::file_error::with_text("(standard input)",
                                          "compressed data is not read from a terminal "
                                          "(use -f to force it, --help for help)");
        }
        const totals done = test_file(on, *in);
        on.out.detail(in->name,
                      fmt::format("intact, {} bytes in {} blocks", done.plain_bytes, done.blocks));
      });
}

}  // namespace lmzip::app
