// `weft gpu`: the GPUs of a job, which rank takes which and why, and whether MPI takes their
// addresses.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <memory>
#include <span>
#include <vector>
#include <weft/error.hpp>
#include <weft/options.hpp>

#include "command.hpp"
#include "gpu/bandwidths.hpp"
#include "job/device_of_rank.hpp"
#include "job/device_path.hpp"
#include "ranks.hpp"
#include "text.hpp"

namespace weft::command {
namespace {

constexpr std::size_t tested_bytes = std::size_t{4} << 20;  // the test uses up to half of them

struct Arguments {
  std::string device;
  bool measures = false;
};

std::string share_text(int rank, const std::string& binding, const GpuShare& share) {
  return fmt::format(
      "  rank {} on cores {}: GPU {}, {}\n", rank, binding, share.gpu,
      share.is_near ? "which is near them" : "which is not near them: the near ones are taken");
}

/// The known rates of the bus and of the links of a GPU.
std::string rates_text(const GpuPlace& gpu) {
  std::string text;
  if (gpu.bus_rate > 0) text += fmt::format("; bus {}", rate_text(gpu.bus_rate));
  for (std::size_t other = 0; other < gpu.link_rates.size(); ++other)
    if (gpu.link_rates[other] > 0)
      text += fmt::format("; link to GPU {} {}", other, rate_text(gpu.link_rates[other]));
  return text;
}

/// The GPUs of this rank's node; the same on all ranks of the node.
std::string node_text(const Job& job) {
  const auto [gpus, bindings] = gpus_of_node(job);
  const std::vector<GpuShare> shares = share_gpus(gpus, bindings);
  std::string text = fmt::format("{}:\n", host_name());
  if (gpus.empty()) return text + "  no GPU of NVIDIA or AMD on its buses\n";
  for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu)
    text += fmt::format("  GPU {}: {} at {}, near cores {}{}\n", gpu, gpus[gpu].model,
                        gpus[gpu].bus, gpus[gpu].near, rates_text(gpus[gpu]));
  const std::vector<int> ranks = job.topology.mates_of(job.communicator.rank());
  for (std::size_t place = 0; place < shares.size(); ++place)
    text += share_text(ranks[place], bindings[place], shares[place]);
  return text;
}

/// The texts of all nodes, each from the node's lowest rank.
std::string nodes_text(const Job& job) {
  const std::string own = node_text(job);
  std::string text;
  for (int rank = 0; rank < job.communicator.size(); ++rank)
    if (job.topology.node_of(rank) == rank)
      text += broadcast_text(job.communicator.get(), own, rank);
  return text;
}

/// How a plan for that device would let MPI move blocks and, with --bandwidth, how fast.
std::string device_text(const Job& job, const Arguments& arguments) {
  const std::string& name = arguments.device;
  std::shared_ptr<Device> device;
  Memory memory;
  const std::string own = device_of_rank(job, name);
  agree(job.communicator, [&] {
    device = open_device(own);
    if (device->stream() != nullptr)
      memory = device->memory().allocate(tested_bytes, "a test message");
  });
  if (device->stream() == nullptr) return "";  // the host
  PathChoice choice;
  std::string text =
      fmt::format("device={}: start at least two ranks to test MPI with its memory\n", name);
  if (job.communicator.size() > 1) {
    Options options;
    options.device = name;
    const std::span<std::byte> buffer(memory.data(), memory.size());
    choice = choose_device_path(job, *device, options, {&buffer, 1});
    text =
        fmt::format("device={}: device_path {}: {}\n", name, to_string(choice.path), choice.reason);
  }
  if (arguments.measures) text += bandwidths_text(job, *device, choice.path);
  return text;
}

void run(const Arguments& arguments, MPI_Comm communicator) {
  const Job job = join_job(communicator, 0);
  std::string text = nodes_text(job);
  text += fmt::format("devices of this Weft: {}\n", fmt::join(device_names(), ", "));
  if (!arguments.device.empty()) text += device_text(job, arguments);
  if (job.communicator.rank() == 0) fmt::print("{}", text);
}

}  // namespace

void add_gpu(Command program, Action& chosen) {
  const auto [command, arguments] = add_subcommand<Arguments>(
      program, chosen, "gpu",
      "Print the GPUs of each node, which rank takes which and why, whether MPI "
      "can be given addresses of a device, and how fast blocks move.",
      run);
  const Option device =
      command
          .add("--device", arguments->device,
               "Test MPI with the memory of this device, as plans do before they rely on it")
          .completed_by(device_names);
  command
      .add_flag("--bandwidth", arguments->measures,
                "Measure copies within the device, to the host and back, to the devices of other "
                "ranks, and an all-to-all by MPI")
      .needs(device);
  command.footer(
      "A test that crashes leaves a mark beside wisdom, so that plans copy blocks through the host "
      "from then on.\n\n"
      "Example\n"
      "  mpiexec -n 4 weft gpu --device cuda:auto --bandwidth\n");
}

}  // namespace weft::command
