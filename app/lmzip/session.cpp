#include "app/lmzip/session.h"

#include <fmt/format.h>

#include "app/lmzip/model_search.h"
#include "app/lmzip/names.h"
#include "core/io/signals.h"

namespace lmzip::app {

void session::on_progress(const lmzip::progress& now) {
  if (io::pending_signal() != 0) stop.request_stop();
  progress.update(now);
}

decompress_options session::decoding() {
  decompress_options options;
  options.threads = run.coding.threads.value_or(1);
  options.memory_limit = run.coding.memory_limit.value_or(0);
  options.output_limit = run.coding.output_limit;
  options.find_model = find_models(model);
  options.base = base;
  options.on_progress = [this](const lmzip::progress& now) { on_progress(now); };
  options.stop = stop.get_token();
  return options;
}

void session::conclude(const input& in, output& to, const std::string& summary, bool whole) {
  const bool unchanged = is_unchanged(in);
  if (!unchanged) out.warning(in.name, "changed while it was read");
  const bool is_file = to.makes_file();
  to.commit(in, out);
  out.detail(in.name, fmt::format("{}, {}", summary, printable(to.name())));
  if (!run.output.remove_input || in.is_standard_input()) return;
  if (is_file && unchanged && whole) {
    remove_input(in, out);
  } else {
    out.warning(in.name, "not removed");
  }
}

}  // namespace lmzip::app
