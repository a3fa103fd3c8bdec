// The machine's name for whoever keeps figures of it: what it is built of, and not how its nodes
// are called, so that the nodes of a homogeneous cluster are one machine.
#pragma once

#include <string>

namespace weft {

/// "2 x Intel Xeon Gold 6148, 40 cores, caches 32K 1M 28M": of the whole node, whichever part of it
/// this process may use; found once.
const std::string& machine_name();

/// A processor's name without trade marks, the word "CPU", its clock and needless blanks.
std::string short_processor_name(const std::string& model);

}  // namespace weft
