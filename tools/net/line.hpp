// Hockney's model of a message, and its fit: seconds(bytes) = alpha + bytes / beta.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace weft::net {

struct Point {
  double bytes = 0;
  double seconds = 0;
};

struct Line {
  double alpha = 0;             ///< seconds
  double seconds_per_byte = 0;  ///< 1 / beta; 0 if the time does not grow with the bytes
  double residual = 0;          ///< root mean square of the relative residuals

  /// "5.31 GB/s", or "unbounded"
  std::string beta() const;
  /// "alpha 1.2 us, beta 5.31 GB/s (12 % off)"
  std::string describe() const;
  nlohmann::ordered_json json() const;
};

/// Least squares of relative residuals, so that microseconds weigh as much as milliseconds; neither
/// coefficient is negative. Nothing if there are fewer than two different sizes.
std::optional<Line> fit_line(const std::vector<Point>& points);

}  // namespace weft::net
