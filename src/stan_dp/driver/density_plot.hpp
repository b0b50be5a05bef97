#ifndef STAN_DP_DRIVER_DENSITY_PLOT_HPP
#define STAN_DP_DRIVER_DENSITY_PLOT_HPP

#include <stan_dp/driver/comparison.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

/** @file
 * Marginal densities of two runs, overlaid, a small panel for each parameter:
 * an SVG file without any dependency.
 */
namespace stan_dp {

/** What stands above the panels. */
struct plot_text {
  std::string title;
  std::string reference;
  std::string candidate;
  std::string footnote;
};

namespace internal {

inline constexpr const char* reference_colour = "#1f6f8b";
inline constexpr const char* candidate_colour = "#d1495b";

struct curve {
  std::vector<double> x;
  std::vector<double> y;
};

/** Silverman's rule with the smaller of sd and scaled interquartile range. */
inline double bandwidth(const std::vector<double>& sorted) {
  double sd = summarize(sorted).sd;
  double spread = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.349;
  double scale = spread > 0 ? std::min(sd, spread) : sd;
  return 0.9 * scale * std::pow(static_cast<double>(sorted.size()), -0.2);
}

/** A Gaussian kernel density estimate at `count` points from low to high. */
inline curve density(const std::vector<double>& sorted, double low, double high,
                     int count) {
  const double h = bandwidth(sorted);
  curve c;
  for (int i = 0; i < count; ++i) {
    double x = low + (high - low) * i / (count - 1);
    auto from = std::lower_bound(sorted.begin(), sorted.end(), x - 5 * h);
    auto to = std::upper_bound(from, sorted.end(), x + 5 * h);
    double sum = 0;
    for (auto it = from; it != to; ++it) {
      double z = (x - *it) / h;
      sum += std::exp(-z * z / 2);
    }
    c.x.push_back(x);
    c.y.push_back(sum
                  / (static_cast<double>(sorted.size()) * h
                     * std::sqrt(2 * std::acos(-1.0))));
  }
  return c;
}

/** Round numbers between low and high: about `wanted` of them. */
inline std::vector<double> ticks(double low, double high, int wanted) {
  double raw = (high - low) / wanted;
  double power = std::pow(10, std::floor(std::log10(raw)));
  double step = power * 10;
  for (double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> at;
  for (double k = std::ceil(low / step); k * step <= high; ++k) {
    at.push_back(k == 0 ? 0 : k * step);
  }
  return at;
}

inline std::string number(const char* format, double x) {
  char text[40];
  std::snprintf(text, sizeof text, format, x);
  return text;
}

inline std::string escaped(const std::string& text) {
  std::string safe;
  for (char c : text) {
    safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
  }
  return safe;
}

/** The area of a panel in which curves are drawn. */
struct panel_frame {
  double left, top, width, height;
  double low, high, peak;

  double x(double value) const {
    return left + width * (value - low) / (high - low);
  }
  double y(double value) const { return top + height * (1 - value / peak); }
};

inline void draw_curve(std::ostream& svg, const panel_frame& f, const curve& c,
                       const char* colour) {
  std::ostringstream line;
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    line << (i == 0 ? "" : " ") << number("%.1f", f.x(c.x[i])) << ","
         << number("%.1f", f.y(c.y[i]));
  }
  std::string base = number("%.1f", f.y(0));
  svg << "<polygon points=\"" << number("%.1f", f.x(c.x.front())) << "," << base
      << " " << line.str() << " " << number("%.1f", f.x(c.x.back())) << ","
      << base << "\" fill=\"" << colour << "\" fill-opacity=\"0.18\"/>\n"
      << "<polyline points=\"" << line.str() << "\" fill=\"none\" stroke=\""
      << colour << "\" stroke-width=\"1.8\" stroke-linejoin=\"round\"/>\n";
}

inline void draw_mean(std::ostream& svg, const panel_frame& f, double mean,
                      const char* colour) {
  if (mean < f.low || mean > f.high) {
    return;
  }
  std::string x = number("%.1f", f.x(mean));
  svg << "<line x1=\"" << x << "\" x2=\"" << x << "\" y1=\""
      << number("%.1f", f.top) << "\" y2=\"" << number("%.1f", f.y(0))
      << "\" stroke=\"" << colour
      << "\" stroke-width=\"1\" stroke-dasharray=\"3 3\"/>\n";
}

inline void draw_axis(std::ostream& svg, const panel_frame& f) {
  std::string base = number("%.1f", f.y(0));
  for (double t : ticks(f.low, f.high, 6)) {
    std::string x = number("%.1f", f.x(t));
    svg << "<line x1=\"" << x << "\" x2=\"" << x << "\" y1=\""
        << number("%.1f", f.top) << "\" y2=\"" << base
        << "\" stroke=\"#e9ecef\"/>\n"
        << "<text class=\"tick\" x=\"" << x << "\" y=\""
        << number("%.1f", f.y(0) + 15) << "\">" << number("%.4g", t)
        << "</text>\n";
  }
  svg << "<line x1=\"" << number("%.1f", f.left) << "\" x2=\""
      << number("%.1f", f.left + f.width) << "\" y1=\"" << base << "\" y2=\""
      << base << "\" stroke=\"#868e96\"/>\n";
}

inline void draw_panel(std::ostream& svg, double left, double top,
                       const parameter_comparison& p,
                       std::vector<double> reference,
                       std::vector<double> candidate) {
  std::sort(reference.begin(), reference.end());
  std::sort(candidate.begin(), candidate.end());
  double low = std::min(quantile(reference, 0.002), quantile(candidate, 0.002));
  double high
      = std::max(quantile(reference, 0.998), quantile(candidate, 0.998));
  double margin = 0.06 * (high - low);
  low -= margin;
  high += margin;
  curve a = density(reference, low, high, 160);
  curve b = density(candidate, low, high, 160);
  double peak = 1.05
                * std::max(*std::max_element(a.y.begin(), a.y.end()),
                           *std::max_element(b.y.begin(), b.y.end()));
  panel_frame f{left, top + 40, 270, 130, low, high, peak};
  draw_axis(svg, f);
  draw_curve(svg, f, a, reference_colour);
  draw_curve(svg, f, b, candidate_colour);
  draw_mean(svg, f, p.reference.mean, reference_colour);
  draw_mean(svg, f, p.candidate.mean, candidate_colour);
  svg << "<text class=\"name\" x=\"" << left << "\" y=\"" << top + 14 << "\">"
      << escaped(p.name) << "</text>\n"
      << "<text class=\"note\" x=\"" << left << "\" y=\"" << top + 30
      << "\">mean " << number("%+.2f", p.shift) << " sd, sd \xC3\x97"
      << number("%.2f", p.sd_ratio) << "</text>\n";
}

inline void draw_legend(std::ostream& svg, double x, double y,
                        const std::string& label, const char* colour) {
  svg << "<rect x=\"" << x << "\" y=\"" << y - 10
      << "\" width=\"22\" height=\"11\" rx=\"2\" fill=\"" << colour
      << "\" fill-opacity=\"0.25\" stroke=\"" << colour
      << "\" stroke-width=\"1.6\"/>\n"
      << "<text class=\"legend\" x=\"" << x + 30 << "\" y=\"" << y << "\">"
      << escaped(label) << "</text>\n";
}

}  // namespace internal

/** At most this many parameters are drawn. */
inline constexpr std::size_t largest_plot = 60;

/** The picture as the text of an SVG file. */
inline std::string density_plot(const comparison& c, const draws& reference,
                                const draws& candidate, const plot_text& text) {
  using namespace internal;
  std::size_t count = std::min(c.parameters.size(), largest_plot);
  std::size_t columns = count < 3 ? 2 : count <= 12 ? 3 : 4;
  std::size_t rows = (count + columns - 1) / columns;
  double width = 40.0 + 310.0 * static_cast<double>(columns);
  double height = 140.0 + 225.0 * static_cast<double>(rows);
  std::ostringstream svg;
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width
      << "\" height=\"" << height << "\" viewBox=\"0 0 " << width << " "
      << height << "\">\n"
      << "<style>text{font-family:'Helvetica Neue',Helvetica,Arial,"
         "'DejaVu Sans',sans-serif;fill:#212529}"
         ".title{font-size:18px;font-weight:bold}.legend{font-size:13px}"
         ".name{font-size:14px;font-weight:bold}.note{font-size:11.5px;"
         "fill:#495057}.tick{font-size:11px;fill:#495057;text-anchor:middle}"
         "</style>\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      << "<text class=\"title\" x=\"40\" y=\"38\">" << escaped(text.title)
      << "</text>\n";
  draw_legend(svg, 40, 64, text.reference, reference_colour);
  draw_legend(svg, 40, 86, text.candidate, candidate_colour);
  for (std::size_t i = 0; i < count; ++i) {
    const parameter_comparison& p = c.parameters[i];
    draw_panel(svg, 40 + 310.0 * static_cast<double>(i % columns),
               112 + 225.0 * static_cast<double>(i / columns), p,
               *reference.find(p.name), *candidate.find(p.name));
  }
  svg << "<text class=\"note\" x=\"40\" y=\"" << height - 14 << "\">"
      << escaped(text.footnote) << "</text>\n</svg>\n";
  return svg.str();
}

}  // namespace stan_dp
#endif
