// The only place that opens hwloc's topology, so that a pretended machine is used everywhere.
#include "machine/hardware.hpp"

#include <fmt/format.h>
#include <hwloc.h>

#include <cstdlib>
#include <string>
#include <weft/error.hpp>

namespace weft {
namespace {

const char* description() {
  const char* const text = std::getenv("WEFT_TOPOLOGY");
  return text != nullptr && *text != '\0' ? text : nullptr;
}

bool is_file(const std::string& text) { return text.ends_with(".xml"); }

/// The processing units of a synthetic topology: the product of the numbers of children. These
/// follow a name and a colon, or stand alone. Attributes "(…)" and attached memory "[…]" may hold
/// other numbers.
double units_of(const std::string& synthetic) {
  double units = 1;
  int depth = 0;
  for (std::size_t at = 0; at < synthetic.size(); ++at) {
    const char letter = synthetic[at];
    if (letter == '(' || letter == '[') ++depth;
    if (letter == ')' || letter == ']') --depth;
    const bool begins = at == 0 || synthetic[at - 1] == ':' || synthetic[at - 1] == ' ' ||
                        synthetic[at - 1] == '\n';
    if (depth == 0 && begins && letter >= '0' && letter <= '9')
      units *= std::strtod(synthetic.c_str() + at, nullptr);
  }
  return units;
}

/// hwloc takes seconds for more units, and hours for a number with a few zeros too many.
void require_few_units(const std::string& synthetic) {
  if (is_file(synthetic)) return;
  constexpr double most = 4096;
  const double units = units_of(synthetic);
  if (units > most)
    throw Error(fmt::format(
        "WEFT_TOPOLOGY \"{}\": describes {:.6g} processing units; valid is up to {:.0f}", synthetic,
        units, most));
}

int set_pretended(hwloc_topology* topology, const std::string& text) {
  return is_file(text) ? hwloc_topology_set_xml(topology, text.c_str())
                       : hwloc_topology_set_synthetic(topology, text.c_str());
}

}  // namespace

bool Hardware::is_pretended() { return description() != nullptr; }

Hardware::Hardware(Cores cores, Parts parts) {
  const char* const pretended = description();
  if (pretended != nullptr) require_few_units(pretended);
  if (hwloc_topology_init(&topology_) != 0) return;
  if (pretended != nullptr && set_pretended(topology_, pretended) != 0) {
    hwloc_topology_destroy(topology_);
    throw Error(fmt::format(
        "WEFT_TOPOLOGY \"{}\": is neither a synthetic topology of hwloc nor a file of it that ends "
        "with .xml; valid is, for example, "
        "\"l3:1(size=32MB) l2:8(size=1MB) l1d:1(size=32kB) core:1 pu:1\"",
        pretended));
  }
  if (cores == Cores::all)
    hwloc_topology_set_flags(topology_, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (parts == Parts::cores_and_devices)
    hwloc_topology_set_io_types_filter(topology_, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  loaded_ = hwloc_topology_load(topology_) == 0;
}

Hardware::~Hardware() {
  if (topology_ != nullptr) hwloc_topology_destroy(topology_);
}

}  // namespace weft
