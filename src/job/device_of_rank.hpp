// Which device a rank takes where its name leaves the number open.
#pragma once

#include <string>
#include <vector>

#include "job/job.hpp"
#include "machine/affinity.hpp"

namespace weft {

/// What is known of the GPUs of a rank's node.
struct NodeGpus {
  std::vector<GpuPlace> gpus;         ///< in the order of their addresses
  std::vector<std::string> bindings;  ///< the cores that each rank of the node is bound to
};

/// Collective over the node; the same on all its ranks.
NodeGpus gpus_of_node(const Job& job);

/// The name of the device that this rank opens: for "cuda:auto" with the number of the GPU near its
/// cores, so that no GPU of the node has more than one rank more than another where all its ranks
/// may use the same ones; else the name as it is. Collective. Throws on all ranks if there is no
/// such device on one of them.
std::string device_of_rank(const Job& job, const std::string& name);

}  // namespace weft
