#include "app/train/log_file.h"

#include <nlohmann/json.hpp>
#include <span>

namespace lmzip::train {
namespace {

io::file open_for_adding(const std::string& path) {
  const auto status = io::status_of(path, true);
  if (!status) return io::file::create(path);
  io::file file = io::file::open_for_writing(path);
  file.skip(status->bytes);
  return file;
}

}  // namespace

log_file::log_file(const std::string& path) : file_(open_for_adding(path)) {}

void log_file::add(const training_report& report, double bytes_a_token) {
  nlohmann::json line = {{"step", report.step},
                         {"tokens", report.tokens},
                         {"rate", report.rate},
                         {"loss", report.loss},
                         {"cpu", report.cpu_seconds}};
  if (report.held_out_loss > 0) {
    line["held_out"] = report.held_out_loss;
    line["held_out_byte"] = report.held_out_loss / bytes_a_token;
  }
  const std::string text = line.dump() + "\n";
  file_.write(std::as_bytes(std::span(text)));
}

}  // namespace lmzip::train
