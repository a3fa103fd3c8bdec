// Ranks of a node tell each other the cores that they are bound to, and each computes all shares.
#include "job/device_of_rank.hpp"

#include "device/device.hpp"
#include "machine/hardware.hpp"

namespace weft {

NodeGpus gpus_of_node(const Job& job) {
  const Hardware hardware(Hardware::Cores::all, Hardware::Parts::cores_and_devices);
  return {gpus_of(hardware.topology()),
          texts_of_ranks(job.node.get(), binding_of_process(hardware.topology()))};
}

std::string device_of_rank(const Job& job, const std::string& name) {
  if (!is_chosen_by_place(name)) return name;
  const NodeGpus node = gpus_of_node(job);
  std::string own;
  agree(job.communicator,
        [&] { own = nearest_device(name, node.gpus, node.bindings, job.node.rank()); });
  return own;
}

}  // namespace weft
