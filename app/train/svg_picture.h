#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lmzip::train {

/// An interval of values shown along a length of a picture.
struct svg_axis {
  double low, high;   ///< values
  double begin, end;  ///< where they lie
  double step = 0;    ///< between ticks

  /// With about so many ticks.
  svg_axis(double from, double to, double first, double last, double ticks);

  /// Widened to whole ticks.
  svg_axis rounded() const;

  double operator()(double value) const {
    return begin + (value - low) / (high - low) * (end - begin);
  }

  std::vector<double> ticks() const;
};

/// A picture as SVG on a white ground. Texts are escaped.
class svg_picture {
 public:
  using point = std::pair<double, double>;

  svg_picture(double width, double height);

  void line(double x1, double y1, double x2, double y2, const char* color);
  void words(double x, double y, const char* anchor, const std::string& what,
             const char* color = "#333");

  /// Words that rise to the point, where they end.
  void slanted_words(double x, double y, const std::string& what);

  void curve(const std::vector<point>& points, const svg_axis& x, const svg_axis& y,
             const char* color, double stroke);
  void dots(const std::vector<point>& points, const svg_axis& x, const svg_axis& y,
            const char* color);
  void bar(double x, double y, double width, double height, const char* color);

  /// The lines of an axis of heights with their numbers.
  void levels(const svg_axis& y, double from, double to);

  /// The same of both axes, the horizontal one with or without numbers.
  void frame(const svg_axis& x, const svg_axis& y, bool with_numbers);

  std::string finished() const { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

}  // namespace lmzip::train
