// Draws every rank's work during one transform from a trace. It shows less than a trace viewer, but
// the page needs no viewer.
#pragma once

#include <string>

#include "samples.hpp"

namespace weft::report {

/// The last transform of a document in the Trace Event Format, as `weft bench --trace` writes it,
/// as SVG: a row for each rank.
std::string timeline_picture(const command::Json& trace);

}  // namespace weft::report
