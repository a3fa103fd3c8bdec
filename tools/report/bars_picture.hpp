// How long each contestant took, beside the time of copying as many bytes.
#pragma once

#include <string>
#include <vector>

#include "samples.hpp"

namespace weft::report {

/// The data of one bar.
struct TimedRow {
  std::string name;
  Samples samples;  ///< seconds
};

/// A bar to the median of each row, with a line from its fastest to its slowest sample, and across
/// all of them a line at the floor, as SVG.
std::string bars_picture(const std::vector<TimedRow>& rows, double floor_seconds);

}  // namespace weft::report
