// Ranks of a node tell each other the cores that they are bound to, and each computes all shares.
#include "session/device_of_rank.hpp"

#include "device/device.hpp"
#include "machine/hardware.hpp"

namespace weft {

std::string device_of_rank(const Job& job, const std::string& name) {
  if (!is_chosen_by_place(name)) return name;
  const Hardware hardware(Hardware::Cores::all, Hardware::Parts::cores_and_devices);
  const std::vector<std::string> bindings =
      texts_of_ranks(job.node.get(), binding_of_process(hardware.topology()));
  std::string own;
  agree(job.communicator, [&] {
    own = nearest_device(name, gpus_of(hardware.topology()), bindings, job.node.rank());
  });
  return own;
}

}  // namespace weft
