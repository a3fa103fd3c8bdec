// Two unknowns: solve the normal equations; if a coefficient is negative, take the better of the
// two fits without one of them.
#include "net/line.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "text.hpp"

namespace weft::net {
namespace {

double residual_of(const Line& line, const std::vector<Point>& points) {
  double sum = 0;
  for (const Point& point : points) {
    const double expected = line.alpha + line.seconds_per_byte * point.bytes;
    sum += std::pow(expected / point.seconds - 1, 2);
  }
  return std::sqrt(sum / static_cast<double>(points.size()));
}

/// Sums of u u, u v, v v, u and v; the model is alpha u + seconds_per_byte v = 1 with u = 1 /
/// seconds and v = bytes / seconds.
struct Sums {
  double uu = 0, uv = 0, vv = 0, u = 0, v = 0;
};

Sums sums_of(const std::vector<Point>& points) {
  Sums sums;
  for (const Point& point : points) {
    const double u = 1 / point.seconds;
    const double v = point.bytes / point.seconds;
    sums.uu += u * u, sums.uv += u * v, sums.vv += v * v, sums.u += u, sums.v += v;
  }
  return sums;
}

}  // namespace

std::string Line::beta() const {
  return seconds_per_byte > 0 ? command::rate_text(1 / seconds_per_byte) : "unbounded";
}

std::string Line::describe() const {
  return fmt::format("alpha {}, beta {} ({:.0f} % off)", command::seconds_text(alpha), beta(),
                     100 * residual);
}

nlohmann::ordered_json Line::json() const {
  nlohmann::ordered_json json = {{"alpha_seconds", alpha}};
  json["beta_bytes_per_second"] =
      seconds_per_byte > 0 ? nlohmann::ordered_json(1 / seconds_per_byte) : nullptr;
  json["relative_residual"] = residual;
  return json;
}

std::optional<Line> fit_line(const std::vector<Point>& points) {
  if (points.empty()) return {};
  const auto [least, most] = std::ranges::minmax(points, {}, &Point::bytes);
  if (least.bytes == most.bytes) return {};
  const Sums sums = sums_of(points);
  const double determinant = sums.uu * sums.vv - sums.uv * sums.uv;
  std::vector<Line> candidates = {{(sums.u * sums.vv - sums.v * sums.uv) / determinant,
                                   (sums.v * sums.uu - sums.u * sums.uv) / determinant},
                                  {sums.u / sums.uu, 0},
                                  {0, sums.v / sums.vv}};
  std::erase_if(candidates, [](const Line& line) {
    return !(line.alpha >= 0 && line.seconds_per_byte >= 0);  // also rejects NaN from rounding
  });
  for (Line& line : candidates) line.residual = residual_of(line, points);
  return std::ranges::min(candidates, {}, &Line::residual);
}

}  // namespace weft::net
