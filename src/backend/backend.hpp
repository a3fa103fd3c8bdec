// The operations that each kind of device implements itself: memory, a stream, kernels. All other
// code for devices is written once, on top of them. Nothing here needs MPI or functions of the
// library, so that a plugin needs neither.
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

/// The name by which another process of the machine opens device memory: plain data that can be
/// sent.
using MemoryName = std::array<std::byte, 64>;

/// Memory that other processes may open.
struct OfferedMemory {
  std::shared_ptr<std::byte> memory;
  MemoryName name{};
  std::shared_ptr<void> until_opened;  ///< kept until all others have opened it
};

/// A device in the terms of DLPack, the protocol by which libraries hand each other arrays: a
/// number for the kind of memory, for example 2 for CUDA's, and the device's number. Kind 0: no
/// other library can use its memory.
struct DlpackDevice {
  int kind = 0;
  int number = 0;
};

class DeviceBackend {
 public:
  virtual ~DeviceBackend() = default;
  /// The device kind in the names of MPI's query functions: "cuda" for MPIX_Query_cuda_support.
  virtual const char* name_in_mpi() const = 0;
  virtual DlpackDevice dlpack_device() const { return {}; }
  /// Its address on the machine's buses, "0000:3b:00.0"; empty if it has none.
  virtual std::string bus() const { return {}; }
  /// The stream of kernels and copies.
  virtual Stream& stream() = 0;
  /// Puts later work on a stream of the caller's, behind the work that `stream()` holds; `stream()`
  /// stays the same object. False if the device cannot use streams of callers.
  virtual bool use_stream(void*) { return false; }
  /// Puts later work on the device's own stream again.
  virtual void use_own_stream() {}
  /// Makes later work on the stream wait for the work that the caller's stream holds now. Devices
  /// without streams of callers do nothing.
  virtual void wait_for_stream(void*) {}
  /// Another stream, which waits for others only after a call of `wait_for`.
  virtual std::unique_ptr<Stream> make_stream() = 0;
  virtual KernelLauncher& launcher() = 0;
  /// Plans transforms by the device's own FFT library, on buffers of the device. Throws an Error
  /// that names the missing part if there is no library, or if it cannot transform these lines.
  virtual std::unique_ptr<LineTransform> plan_lines(const LineBatch& batch) = 0;
  /// Uninitialised memory, at least one byte; it may outlive this object. Throws std::bad_alloc if
  /// memory runs out.
  virtual std::shared_ptr<std::byte> allocate(std::size_t bytes) = 0;
  /// Like `allocate`, but in the host's memory; the device copies it while the host goes on.
  virtual std::shared_ptr<std::byte> allocate_on_host(std::size_t bytes) = 0;
  virtual OfferedMemory offer(std::size_t bytes) = 0;
  /// Opens memory that another process offers, as this process addresses it. Its owner must keep it
  /// until all other processes have closed it.
  virtual std::shared_ptr<std::byte> open(const MemoryName& name, std::size_t bytes) = 0;
  /// Fills memory that nothing else uses yet with zeros.
  virtual void clear(std::byte* memory, std::size_t bytes) = 0;
  /// Whether the address is in the device's memory.
  virtual bool holds(const void* address) const = 0;
  /// For people: the library that carries messages between devices of this kind. Throws an Error
  /// that names the missing part if the library cannot be used.
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
  /// The kernel kept under that key. The key contains everything that the kernel was made from.
  virtual std::optional<std::string> find(const std::string& key) = 0;
  virtual void keep(const std::string& key, const std::string& kernel) = 0;
};

/// The content of a plugin: devices of one vendor, counted from 0.
struct DevicePlugin {
  int weft_version;  ///< header_version of the headers that it was built with
  /// The number of devices; if there is none, `reason` becomes a sentence that says why.
  int (*count)(std::string& reason);
  /// The device that the calling thread already uses.
  int (*current)();
  /// The device at that PCI address, "0000:3b:00.0"; -1 if this process cannot use it.
  int (*at)(const char* bus);
  std::shared_ptr<DeviceBackend> (*open)(int number, std::shared_ptr<KernelStore> store);
};

/// The function that a plugin exports, and its name. The name changes with these declarations, so
/// that an old plugin is not loaded.
using DevicePluginEntry = const DevicePlugin*();
inline constexpr const char* device_plugin_entry = "weft_device_plugin_5";

}  // namespace weft
