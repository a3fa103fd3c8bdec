// Chooses a rank's device if the device's name leaves the number open.
#pragma once

#include <string>
#include <vector>

#include "job/job.hpp"
#include "machine/affinity.hpp"

namespace weft {

/// The GPUs of a rank's node, and the cores of the node's ranks.
struct NodeGpus {
  std::vector<GpuPlace> gpus;         ///< in the order of their addresses
  std::vector<std::string> bindings;  ///< the cores that each rank of the node is bound to
};

/// Collective over the node; the same on all its ranks.
NodeGpus gpus_of_node(const Job& job);

/// The name of the device that this rank opens. "cuda:auto" gets the number of a GPU near the
/// rank's cores; other names stay as they are. If all ranks of the node may use the same GPUs, the
/// numbers of ranks per GPU differ by at most one. Collective. Throws on all ranks if any rank
/// lacks its device.
std::string device_of_rank(const Job& job, const std::string& name);

}  // namespace weft
