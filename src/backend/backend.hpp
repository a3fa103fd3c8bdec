// What a device has to do itself: memory, a stream, kernels. Everything else about devices is
// written once, on top of this. Nothing here needs MPI or functions of the library, so that a
// plugin needs neither.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "backend/device_messages.hpp"
#include "backend/kernel_launcher.hpp"
#include "backend/stream.hpp"
#include "engine/engine.hpp"

namespace weft {

/// By which another process of the machine opens memory of a device: plain data, to be sent.
using MemoryName = std::array<std::byte, 64>;

/// Memory that other processes may open.
struct OfferedMemory {
  std::shared_ptr<std::byte> memory;
  MemoryName name{};
  std::shared_ptr<void> until_opened;  ///< kept until all others have opened it
};

/// A device in the terms of DLPack, the protocol by which libraries hand each other arrays: a
/// number for the kind of memory, such as 2 for CUDA's, and which of several. Kind 0: no other
/// library can use its memory.
struct DlpackDevice {
  int kind = 0;
  int number = 0;
};

class DeviceBackend {
 public:
  virtual ~DeviceBackend() = default;
  /// As MPI's functions are named that say whether it takes addresses of such devices: "cuda" for
  /// MPIX_Query_cuda_support.
  virtual const char* name_in_mpi() const = 0;
  virtual DlpackDevice dlpack_device() const { return {}; }
  /// Its address on the machine's buses, "0000:3b:00.0"; empty if it has none.
  virtual std::string bus() const { return {}; }
  /// What kernels and copies go on.
  virtual Stream& stream() = 0;
  /// Puts what follows on a stream of the caller's, behind what `stream()` holds; that stays the
  /// same object. False on a device that has no streams of callers.
  virtual bool use_stream(void*) { return false; }
  /// Puts what follows on the device's own stream again.
  virtual void use_own_stream() {}
  /// What goes on the stream from now on happens after what that stream of the caller's holds now.
  /// Devices without such streams have nothing to wait for.
  virtual void wait_for_stream(void*) {}
  /// Another stream, which waits for others only where `wait_for` says so.
  virtual std::unique_ptr<Stream> make_stream() = 0;
  virtual KernelLauncher& launcher() = 0;
  /// Lines of the device's own FFT library, on buffers of the device. Throws an Error that says
  /// what is missing where there is none, or if it cannot transform such lines.
  virtual std::unique_ptr<LineTransform> plan_lines(const LineBatch& batch) = 0;
  /// Uninitialised bytes, at least one; they may outlive this object. Throws std::bad_alloc where
  /// there are none left.
  virtual std::shared_ptr<std::byte> allocate(std::size_t bytes) = 0;
  /// The same of the host's memory, such that the device copies it while the host goes on.
  virtual std::shared_ptr<std::byte> allocate_on_host(std::size_t bytes) = 0;
  virtual OfferedMemory offer(std::size_t bytes) = 0;
  /// Memory that another process offers, as this one addresses it. Its owner must keep it until
  /// all others have closed it.
  virtual std::shared_ptr<std::byte> open(const MemoryName& name, std::size_t bytes) = 0;
  /// Fills memory that nothing else uses yet with zeros.
  virtual void clear(std::byte* memory, std::size_t bytes) = 0;
  /// Whether that is an address of the device's memory.
  virtual bool holds(const void* address) const = 0;
  /// For people: what carries messages between such devices. Throws an Error that says what is
  /// missing if there is no such library.
  virtual std::string message_library() = 0;
  /// Creates a group for that number of processes. All of them then join it by its name.
  virtual OfferedGroup offer_group(int members) = 0;
  /// A new object, which can join the group of that name. Throws an Error if this process cannot
  /// reach it: members that joined would wait for this one.
  virtual std::unique_ptr<DeviceMessages> make_messages(const GroupName& name) = 0;
};

/// Keeps kernels that were compiled for a plan, for other processes.
class KernelStore {
 public:
  virtual ~KernelStore() = default;
  /// What was kept under that key; it says all that the kernel was made from.
  virtual std::optional<std::string> find(const std::string& key) = 0;
  virtual void keep(const std::string& key, const std::string& kernel) = 0;
};

/// What a plugin has: devices of one vendor, counted from 0.
struct DevicePlugin {
  int weft_version;  ///< header_version, where it was built
  /// How many there are; where there is none, `reason` becomes a sentence that says why.
  int (*count)(std::string& reason);
  /// The one that the calling thread uses already.
  int (*current)();
  /// The one at that address of PCI, "0000:3b:00.0"; -1 if this process cannot use it.
  int (*at)(const char* bus);
  std::shared_ptr<DeviceBackend> (*open)(int number, std::shared_ptr<KernelStore> store);
};

/// The function that a plugin exports, and its name, which changes with these declarations.
using DevicePluginEntry = const DevicePlugin*();
inline constexpr const char* device_plugin_entry = "weft_device_plugin_5";

}  // namespace weft
