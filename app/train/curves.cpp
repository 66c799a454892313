#include "app/train/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/io/temporary_file.h"

namespace lmzip::train {
namespace {

constexpr double width = 720, left = 64, right = 16;
constexpr double ticks_wanted = 6;

/// An interval of values shown along a length of the picture.
struct axis {
  double low, high;   ///< values
  double begin, end;  ///< where they lie
  double step = 0;    ///< between ticks

  axis(double from, double to, double first, double last, double ticks)
      : low(from), high(to > from ? to : from + 1), begin(first), end(last) {
    const double rough = (high - low) / ticks;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
      if (step == 0 && factor * power >= rough * 0.999) step = factor * power;
  }

  /// Widened to whole ticks.
  axis rounded() const {
    axis result = *this;
    result.low = std::floor(low / step) * step;
    result.high = std::ceil(high / step) * step;
    return result;
  }

  double operator()(double value) const {
    return begin + (value - low) / (high - low) * (end - begin);
  }

  std::vector<double> ticks() const {
    std::vector<double> values;
    for (double at = std::ceil(low / step - 1e-9); at * step <= high * (1 + 1e-12); ++at)
      values.push_back(at * step + 0.0);  // no -0
    return values;
  }
};

using point = std::pair<double, double>;

class picture {
 public:
  explicit picture(double height) {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
        width, height);
  }

  void line(double x1, double y1, double x2, double y2, const char* color) {
    text_ += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2,
                         y2, color);
  }

  void words(double x, double y, const char* anchor, const std::string& what,
             const char* color = "#333") {
    text_ +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n", x,
                    y, anchor, color, what);
  }

  void curve(const std::vector<point>& points, const axis& x, const axis& y, const char* color,
             double stroke) {
    if (points.empty()) return;
    text_ += "<path d=\"";
    char command = 'M';
    for (const auto& [at, value] : points) {
      text_ += fmt::format("{}{:.1f} {:.1f}", command, x(at), y(value));
      command = 'L';
    }
    text_ += fmt::format("\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n", color, stroke);
  }

  void dots(const std::vector<point>& points, const axis& x, const axis& y, const char* color) {
    for (const auto& [at, value] : points)
      text_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n", x(at),
                           y(value), color);
  }

  void frame(const axis& x, const axis& y, bool with_numbers) {
    for (const double at : y.ticks()) {
      line(x.begin, y(at), x.end, y(at), "#ddd");
      words(x.begin - 6, y(at) + 4, "end", fmt::format("{:.4g}", at));
    }
    for (const double at : x.ticks()) {
      line(x(at), y.begin, x(at), y.end, "#eee");
      if (with_numbers) words(x(at), y.begin + 16, "middle", fmt::format("{:.4g}", at));
    }
    line(x.begin, y.begin, x.end, y.begin, "#888");
  }

  std::string finished() const { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

constexpr const char* trained_color = "#8ab";
constexpr const char* held_out_color = "#c40";
constexpr const char* rate_color = "#484";

}  // namespace

std::string curves_svg(std::span<const training_report> reports) {
  std::vector<point> trained, held_out, rate;
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
  const axis x(0, tokens, left, width - right, ticks_wanted);
  const axis loss = axis(high > 0 ? low : 0, high, 330, 36, ticks_wanted).rounded();
  const axis speed = axis(0, fastest, 450, 370, 2).rounded();
  picture drawn(490);
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

void curves_file::draw() const {
  const std::string text = curves_svg(reports_);
  io::temporary_file file(path_);
  file.handle().set_mode(io::new_file_mode());
  file.handle().write(std::as_bytes(std::span(text)));
  file.commit(true, false);
}

}  // namespace lmzip::train
