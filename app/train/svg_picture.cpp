#include "app/train/svg_picture.h"

#include <fmt/format.h>

#include <cmath>

namespace lmzip::train {
namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else
      result += c;
  }
  return result;
}

}  // namespace

svg_axis::svg_axis(double from, double to, double first, double last, double ticks)
    : low(from), high(to > from ? to : from + 1), begin(first), end(last) {
  const double rough = (high - low) / ticks;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (step == 0 && factor * power >= rough * 0.999) step = factor * power;
}

svg_axis svg_axis::rounded() const {
  svg_axis result = *this;
  result.low = std::floor(low / step) * step;
  result.high = std::ceil(high / step) * step;
  return result;
}

std::vector<double> svg_axis::ticks() const {
  std::vector<double> values;
  for (double at = std::ceil(low / step - 1e-9); at * step <= high * (1 + 1e-12); ++at)
    values.push_back(at * step + 0.0);  // no -0
  return values;
}

svg_picture::svg_picture(double width, double height) {
  text_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      width, height);
}

void svg_picture::line(double x1, double y1, double x2, double y2, const char* color) {
  text_ += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2,
                       color);
}

void svg_picture::words(double x, double y, const char* anchor, const std::string& what,
                        const char* color) {
  text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n",
                       x, y, anchor, color, escaped(what));
}

void svg_picture::slanted_words(double x, double y, const std::string& what) {
  text_ += fmt::format(
      "<text transform=\"translate({:.1f} {:.1f}) rotate(-40)\" text-anchor=\"end\">{}</text>\n", x,
      y, escaped(what));
}

void svg_picture::curve(const std::vector<point>& points, const svg_axis& x, const svg_axis& y,
                        const char* color, double stroke) {
  if (points.empty()) return;
  text_ += "<path d=\"";
  char command = 'M';
  for (const auto& [at, value] : points) {
    text_ += fmt::format("{}{:.1f} {:.1f}", command, x(at), y(value));
    command = 'L';
  }
  text_ += fmt::format("\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n", color, stroke);
}

void svg_picture::dots(const std::vector<point>& points, const svg_axis& x, const svg_axis& y,
                       const char* color) {
  for (const auto& [at, value] : points)
    text_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n", x(at),
                         y(value), color);
}

void svg_picture::bar(double x, double y, double width, double height, const char* color) {
  text_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x, y,
      width, height, color);
}

void svg_picture::levels(const svg_axis& y, double from, double to) {
  for (const double at : y.ticks()) {
    line(from, y(at), to, y(at), "#ddd");
    words(from - 6, y(at) + 4, "end", fmt::format("{:.4g}", at));
  }
}

void svg_picture::frame(const svg_axis& x, const svg_axis& y, bool with_numbers) {
  levels(y, x.begin, x.end);
  for (const double at : x.ticks()) {
    line(x(at), y.begin, x(at), y.end, "#eee");
    if (with_numbers) words(x(at), y.begin + 16, "middle", fmt::format("{:.4g}", at));
  }
  line(x.begin, y.begin, x.end, y.begin, "#888");
}

}  // namespace lmzip::train
