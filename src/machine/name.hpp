// A name for the machine, under which measurements are stored. It describes the hardware rather
// than giving host names, so that the nodes of a homogeneous cluster count as one machine.
#pragma once

#include <string>

namespace weft {

/// For example "2 x Intel Xeon Gold 6148, 40 cores, caches 32K 1M 28M". Describes the whole node,
/// even if this process may use only a part of it. Detected once.
const std::string& machine_name();

/// A processor's name without trade marks, the word "CPU", the clock rate and extra spaces.
std::string short_processor_name(const std::string& model);

}  // namespace weft
