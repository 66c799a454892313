#include "app/train/curves.h"

#include <algorithm>

#include "app/train/output_file.h"
#include "app/train/svg_picture.h"

namespace lmzip::train {
namespace {

constexpr double width = 720, left = 64, right = 16;
constexpr double ticks_wanted = 6;

constexpr const char* trained_color = "#8ab";
constexpr const char* held_out_color = "#c40";
constexpr const char* rate_color = "#484";

}  // namespace

std::string curves_svg(std::span<const training_report> reports) {
  std::vector<svg_picture::point> trained, held_out, rate;
  double low = 1e9, high = 0, fastest = 0;
  for (const training_report& r : reports) {
    const double at = static_cast<double>(r.tokens) / 1e6;
    trained.emplace_back(at, r.loss);
    rate.emplace_back(at, r.rate);
    fastest = std::max(fastest, r.rate);
    low = std::min(low, r.loss);
    high = std::max(high, r.loss);
    if (r.held_out_loss <= 0) continue;
    held_out.emplace_back(at, r.held_out_loss);
    low = std::min(low, r.held_out_loss);
    high = std::max(high, r.held_out_loss);
  }
  const double tokens = reports.empty() ? 1 : trained.back().first;
  const svg_axis x(0, tokens, left, width - right, ticks_wanted);
  const svg_axis loss = svg_axis(high > 0 ? low : 0, high, 330, 36, ticks_wanted).rounded();
  const svg_axis speed = svg_axis(0, fastest, 450, 370, 2).rounded();
  svg_picture drawn(width, 490);
  drawn.frame(x, loss, false);
  drawn.frame(x, speed, true);
  drawn.words(left, 20, "start", "bits a token:");
  drawn.words(left + 90, 20, "start", "trained", trained_color);
  drawn.words(left + 150, 20, "start", "held out", held_out_color);
  drawn.words(left, 360, "start", "rate", rate_color);
  drawn.words(width - right, 484, "end", "million tokens");
  drawn.curve(trained, x, loss, trained_color, 1);
  drawn.curve(held_out, x, loss, held_out_color, 2);
  drawn.dots(held_out, x, loss, held_out_color);
  drawn.curve(rate, x, speed, rate_color, 1.5);
  return drawn.finished();
}

curves_file::curves_file(std::string path, std::span<const training_report> before)
    : path_(std::move(path)) {
  for (const training_report& report : before) keep(report);
  draw();
}

void curves_file::add(const training_report& report) {
  keep(report);
  if (report.held_out_loss > 0) draw();
}

void curves_file::keep(const training_report& report) {
  while (!reports_.empty() && reports_.back().step >= report.step) reports_.pop_back();
  reports_.push_back(report);
}

void curves_file::draw() const { output_file(path_).finish(curves_svg(reports_)); }

}  // namespace lmzip::train
