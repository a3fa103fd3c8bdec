// What the JSON of every measurement has.
#pragma once

#include <string>

#include "bench/measure.hpp"
#include "net/measurement.hpp"

namespace weft::net {

/// What was measured, where, and by which convention.
Json report_of(const std::string& measurement, const Arguments& arguments, const Job& job,
               const std::string& convention);

/// Median, minimum and all samples.
Json seconds_of(const bench::Samples& samples);

}  // namespace weft::net
