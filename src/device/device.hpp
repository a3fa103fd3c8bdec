// The device that holds a plan's arrays and runs its passes. Everything else, from routes to
// exchanges, is the same for all devices.
#pragma once

#include <memory>
#include <string>
#include <vector>
#include <weft/options.hpp>

#include "backend/backend.hpp"
#include "machine/affinity.hpp"
#include "mpi/device_support.hpp"
#include "mpi/memory_space.hpp"
#include "pass/pass.hpp"

namespace weft {

class Device {
 public:
  virtual ~Device() = default;
  /// The memory for arenas, windows and the plan's own arrays.
  virtual MemorySpace& memory() = 0;
  /// Whether the address is in the device's memory, which the host must not touch.
  virtual bool holds(const void* address) const = 0;
  /// See DlpackDevice.
  virtual DlpackDevice dlpack_device() const = 0;
  /// See DeviceBackend::bus.
  virtual std::string bus() const { return {}; }
  /// Whether MPI claims to accept addresses of the device's memory.
  virtual DeviceSupport mpi_support() const { return {true, "memory of the host"}; }
  /// The stream of passes; null on the host, where a pass is complete when `run` returns.
  virtual Stream* stream() = 0;
  /// The stream for copies of blocks in that direction, beside the stream of passes; null on the
  /// host. It waits for others only after a call of `wait_for`. The first call creates it, as a
  /// part of planning.
  virtual Stream* copy_stream(CopyWay) { return nullptr; }
  /// Uninitialised memory of the host that allows copies while the host does other work.
  virtual Memory allocate_on_host(std::size_t bytes) {
    return host_memory().allocate(bytes, "copies on the host");
  }
  /// Puts later work on a stream of the caller's, as the device's interface names it, behind the
  /// work that `stream()` holds. `stream()` stays the same object. Throws an Error on a device that
  /// cannot use streams of callers.
  virtual void use_stream(void* stream);
  /// See DeviceBackend::use_own_stream.
  virtual void use_own_stream() {}
  /// See DeviceBackend::wait_for_stream.
  virtual void wait_for_stream(void*) {}
  /// For people: the library that carries messages between devices of this kind; empty on the host.
  /// Throws an Error that names the missing part if the library cannot be used.
  virtual std::string message_library() { return {}; }
  /// Collective: messages between the devices of all ranks, which live as long as this object; null
  /// on the host. Throws on all ranks if any rank cannot have them.
  virtual DeviceMessages* join_messages(const Communicator&) { return nullptr; }
  /// See DeviceMessages::give_up.
  virtual void give_up_messages() noexcept {}
  /// See weft::make_pass. Throws an Error if the device cannot run that pass.
  virtual std::unique_ptr<Pass> make_pass(PassParts parts, const Caches& caches) = 0;
  /// Puts kernels on the stream; null on the host.
  virtual KernelLauncher* launcher() { return nullptr; }
  /// Copies within the device's memory, or between it and the host's, after all earlier work. On a
  /// device, the copy may only have been put on the stream when this returns.
  void copy(void* to, const void* from, std::size_t bytes);
  /// Returns when all work of the device is done, including copies of blocks.
  virtual void synchronize() {}
  /// Like `synchronize`, for destructors: ignores errors, because a device that has failed or is
  /// gone leaves nothing to wait for.
  void drain() noexcept;
  /// To be called when the plan has been dropped: returns to the own stream, because the caller may
  /// destroy its stream now.
  void let_go_of_stream() noexcept;
};

/// Runs `work`. If it throws, waits for the device before the caller gets the exception: work on
/// the stream may use arrays that the caller drops then. Messages that peers may never send are
/// given up first.
template <class Work>
void drained_on_error(Device& device, const Work& work) {
  try {
    work();
  } catch (...) {
    device.give_up_messages();
    device.drain();
    throw;
  }
}

/// The names of devices that options accept, even if no such device is present; N stands for a
/// number.
std::vector<std::string> valid_device_names();
bool is_device_name(const std::string& name);

/// A device of that name, with its own stream. Throws an Error that lists the valid names, or says
/// why there is no such device here.
std::shared_ptr<Device> open_device(const std::string& name);

/// Whether the number of a device depends on where the rank runs: "cuda:auto".
bool is_chosen_by_place(const std::string& name);
/// The name with a number instead, for one rank of a node: the GPU that `share_gpus` gives it among
/// the GPUs that it can use. If none of them is on the buses, ranks take turns. Throws an Error as
/// `open_device` does.
std::string nearest_device(const std::string& name, std::vector<GpuPlace> gpus,
                           const std::vector<std::string>& bindings, int rank_on_node);

/// The caches that routes are planned for: without a second level, every pass transforms one axis.
/// Throws an Error that lists the valid names of devices.
Caches device_caches(const Options& options, const Caches& of_host);

/// The device whose memory is the host's; it has no state.
Device& host_device();

/// Whether that device is the host, which has all features.
bool is_host_device(const std::string& name);
/// Throws unless the device is the host; the message names the feature that other devices lack.
void require_host(const std::string& device, const std::string& feature);

/// Whether an engine's transforms run on that device.
bool works_on(const Engine& engine, const std::string& device);
/// The names of the engines that run on that device.
std::vector<std::string> engine_names_on(const std::string& device);

}  // namespace weft
