// Assigns the GPUs of a node to its ranks: a GPU near the rank's cores if there is one. The numbers
// of ranks per GPU differ by at most one.
#pragma once

#include <string>
#include <vector>

struct hwloc_topology;

namespace weft {

/// A GPU, and the part of the machine that it is near.
struct GpuPlace {
  std::string bus;      ///< its address, "0000:3b:00.0"
  std::string model;    ///< its name by PCI, for messages to people
  std::string near;     ///< the cores near it, as hwloc lists them: "0-15,32-47"
  double bus_rate = 0;  ///< bytes per second each way of its PCI link; 0: unknown
  /// Bytes per second each way over direct links (NVLink, xGMI), one entry for each GPU of the
  /// list; 0: no link is known.
  std::vector<double> link_rates = {};
};

/// The GPUs of NVIDIA and AMD in the order of their bus addresses, and the links between them. CUDA
/// has the same order with CUDA_DEVICE_ORDER=PCI_BUS_ID. The topology must have been loaded with
/// devices; it may be null.
std::vector<GpuPlace> gpus_of(hwloc_topology* topology);

/// The cores that this process is bound to, in hwloc's list form; all cores if it is not bound.
std::string binding_of_process(hwloc_topology* topology);

/// The GPU of one rank.
struct GpuShare {
  int gpu = -1;          ///< its index in the list of GPUs; -1 if there is none
  bool is_near = false;  ///< the GPU is near the cores that the rank is bound to
};

/// The GPU of each rank of a node; `bindings`: the cores that each rank is bound to. Ranks that are
/// near fewer GPUs choose first; among equals, the lower rank does.
std::vector<GpuShare> share_gpus(const std::vector<GpuPlace>& gpus,
                                 const std::vector<std::string>& bindings);

}  // namespace weft
