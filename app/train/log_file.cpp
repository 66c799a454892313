#include "app/train/log_file.h"

#include <nlohmann/json.hpp>
#include <span>
#include <sstream>

#include "lmzip/error.h"

namespace lmzip::train {
namespace {

io::file open_for_adding(const std::string& path) {
  const auto status = io::status_of(path, true);
  if (!status) {
    io::file file = io::file::create(path);
    file.set_mode(io::new_file_mode());
    return file;
  }
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
  write(line.dump() + "\n");
}

void log_file::add(const training_cost& cost, std::int64_t ranks) {
  const nlohmann::json line = {{"ranks", ranks},
                               {"tokens_a_second", static_cast<double>(cost.tokens) / cost.seconds},
                               {"exchange", cost.exchange_seconds / cost.seconds}};
  write(line.dump() + "\n");
}

void log_file::write(const std::string& text) { file_.write(std::as_bytes(std::span(text))); }

std::vector<training_report> log_file::read(const std::string& path) {
  std::vector<training_report> reports;
  const auto status = io::status_of(path, true);
  if (!status) return reports;
  std::string text(status->bytes, ' ');
  io::file file = io::file::open_for_reading(path, true);
  text.resize(file.read(std::as_writable_bytes(std::span(text))));
  std::istringstream lines(text);
  try {
    for (std::string line; std::getline(lines, line);) {
      const auto values = nlohmann::json::parse(line);
      if (!values.contains("step")) continue;
      reports.push_back({values.at("step"), values.at("tokens"), values.at("rate"),
                         values.at("loss"), values.value("held_out", 0.0), values.at("cpu")});
    }
  } catch (const nlohmann::json::exception& failure) {
    throw error(errc::damaged, path + ": not a log of training: " + failure.what());
  }
  return reports;
}

}  // namespace lmzip::train
