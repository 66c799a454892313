#include "app/lmzip/session.h"

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
  options.on_progress = [this](const lmzip::progress& now) { on_progress(now); };
  options.stop = stop.get_token();
  return options;
}

}  // namespace lmzip::app
