#include <fmt/format.h>

#include "app/lmzip/json.h"
#include "app/lmzip/operations.h"
#include "lmzip/inspect.h"

namespace lmzip::app {
namespace {

std::string text_of(const damage& part) {
  const std::string text = describe(error(part.code, part.text, part.offset));
  if (part.plain_bytes == 0) return text;
  return fmt::format("{}: {} bytes from {} on are lost", text, part.plain_bytes, part.plain_offset);
}

std::string json_of(const repair_report& report, const std::string& name) {
  json object;
  add_name(object, "name", name);
  object["blocks"] = report.written.blocks;
  object["plain_bytes"] = report.written.plain_bytes;
  object["compressed_bytes"] = report.written.coded_bytes;
  json lost = json::array();
  for (const damage& part : report.lost) {
    lost.push_back({{"text", part.text},
                    {"offset", part.offset},
                    {"plain_offset", part.plain_offset},
                    {"plain_bytes", part.plain_bytes}});
  }
  object["lost"] = lost;
  return to_line(object);
}

void repair_to(session& on, input& in, output& to) {
  io::file_source from(in.handle);
  on.progress.start(in.name, in.bytes(), false);
  const repair_report report = repair(from, to.bytes(), on.decoding());
  on.progress.finish();
  to.commit(in, on.out);
  for (const damage& part : report.lost) {
    on.out.error(in.name, text_of(part), exit_code::damaged);
  }
  if (on.run.message.json) on.to_stdout.write(json_of(report, in.name));
  on.out.note(in.name,
              fmt::format("saved {} bytes in {} {}", report.written.plain_bytes,
                          report.written.blocks, report.written.blocks == 1 ? "block" : "blocks"));
}

}  // namespace

void repair_file(session& on) {
  const output_settings& wanted = on.run.output;
  const auto path = file_path_of(wanted.path);
  for_each_file(on.run.files, false, on.out, [&](const std::string& name, bool) {
    auto in = open_archive(name, wanted.force, on.out);
    if (!in) return;
    if (!path) {
      if (on.to_stdout.is_terminal() && !wanted.force) {
        throw io::file_error::with_text("(standard output)",
                                        "compressed data is not written to a terminal "
                                        "(use -o FILE, or -f to force it)");
      }
      if (on.run.message.json) throw error(errc::usage, "--json needs -o FILE");
      output to(on.to_stdout.bytes(false));
      repair_to(on, *in, to);
      return;
    }
    output to(*path, {.force = wanted.force, .sync = wanted.sync}, in->status);
    repair_to(on, *in, to);
  });
}

}  // namespace lmzip::app
