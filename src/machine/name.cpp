// Builds the machine's name from hwloc's data. On systems that do not report the processor's model
// it contains the architecture instead, which is less specific.
#include "machine/name.hpp"

#include <fmt/format.h>
#include <hwloc.h>
#include <sys/utsname.h>

#include <algorithm>
#include <sstream>

#include "machine/hardware.hpp"

namespace weft {
namespace {

std::string architecture() {
  utsname system{};
  return uname(&system) == 0 ? fmt::format("{} processor", system.machine) : "unknown processor";
}

std::string processor_of(hwloc_topology_t topology) {
  // Some systems report the model for each package, others for the machine.
  for (const hwloc_obj_type_t type : {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_MACHINE})
    if (const hwloc_obj_t object = hwloc_get_obj_by_type(topology, type, 0))
      if (const char* model = hwloc_obj_get_info_by_name(object, "CPUModel"))
        return short_processor_name(model);
  return architecture();
}

std::string size_of(hwloc_topology_t topology, hwloc_obj_type_t level) {
  const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, level, 0);
  if (cache == nullptr || cache->attr->cache.size == 0) return "-";
  const double kilobytes = static_cast<double>(cache->attr->cache.size) / 1024;
  return kilobytes < 1024 ? fmt::format("{:.3g}K", kilobytes)
                          : fmt::format("{:.3g}M", kilobytes / 1024);
}

std::string name_of(hwloc_topology_t topology) {
  const int packages = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE);
  const int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
  return fmt::format("{}{}, {} core{}, caches {} {} {}",
                     packages > 1 ? fmt::format("{} x ", packages) : "", processor_of(topology),
                     cores, cores == 1 ? "" : "s", size_of(topology, HWLOC_OBJ_L1CACHE),
                     size_of(topology, HWLOC_OBJ_L2CACHE), size_of(topology, HWLOC_OBJ_L3CACHE));
}

/// Includes cores that the job may not use: a batch system may hide a different number each time,
/// but the name must stay the same.
std::string find_name() {
  const Hardware hardware(Hardware::Cores::all);
  return hardware.topology() != nullptr ? name_of(hardware.topology()) : architecture();
}

void remove_all(std::string& text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

}  // namespace

std::string short_processor_name(const std::string& model) {
  std::string name = model.substr(0, model.find('@'));
  for (const char* mark : {"(R)", "(r)", "(TM)", "(tm)"}) remove_all(name, mark);
  std::istringstream words(name);
  std::string result;
  for (std::string word; words >> word;)
    if (word != "CPU") result += (result.empty() ? "" : " ") + word;
  return result.empty() ? architecture() : result;
}

const std::string& machine_name() {
  static const std::string name = find_name();
  return name;
}

}  // namespace weft
