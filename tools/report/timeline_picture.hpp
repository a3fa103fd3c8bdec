// What every rank did during one transform, drawn from a trace: less than a viewer of traces shows,
// but on a page that needs none.
#pragma once

#include <string>

#include "samples.hpp"

namespace weft::report {

/// The last transform of a document in the Trace Event Format, as `weft bench --trace` writes it,
/// as SVG: a row for each rank.
std::string timeline_picture(const command::Json& trace);

}  // namespace weft::report
