// Which rank of a node takes which GPU: one near its cores where there is one, and no GPU has more
// than one rank more than another.
#pragma once

#include <string>
#include <vector>

struct hwloc_topology;

namespace weft {

/// A GPU, and the part of the machine that it is near.
struct GpuPlace {
  std::string bus;      ///< its address, "0000:3b:00.0"
  std::string model;    ///< what the bus says of it, for people
  std::string near;     ///< cores, as hwloc lists them: "0-15,32-47"
  double bus_rate = 0;  ///< bytes per second each way, which its place on the bus has; 0: unknown
  /// Bytes per second each way over direct links such as NVLink, one entry for each GPU of the
  /// list; 0: no link is known.
  std::vector<double> link_rates = {};
};

/// NVIDIA's, in the order of their addresses, which is CUDA's with CUDA_DEVICE_ORDER=PCI_BUS_ID,
/// with the links between them. The topology must have been loaded with devices; it may be null.
std::vector<GpuPlace> gpus_of(hwloc_topology* topology);

/// The cores that this process is bound to, in hwloc's form; all of them where it is not bound.
std::string binding_of_process(hwloc_topology* topology);

/// What a rank takes.
struct GpuShare {
  int gpu = -1;          ///< its place in the list; -1 if there is none
  bool is_near = false;  ///< to the cores that the rank is bound to
};

/// For each rank of a node, given by the cores it is bound to. Ranks that are near fewer GPUs come
/// first; among equals, lower ranks do.
std::vector<GpuShare> share_gpus(const std::vector<GpuPlace>& gpus,
                                 const std::vector<std::string>& bindings);

}  // namespace weft
