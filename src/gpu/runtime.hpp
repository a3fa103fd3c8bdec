// The calls of a GPU vendor's runtime library that a plugin needs. src/cuda defines them with
// CUDA's runtime, src/hip with HIP's; all other code of the plugins is written once, on top of
// them.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <vector>
#include <weft/error.hpp>

#include "backend/backend.hpp"

namespace weft {

class GpuStream;

/// A GPU as the target of the calls below. The process keeps the device's state of the runtime
/// after the first plan that needs it.
class GpuContext {
 public:
  /// Throws if the device cannot be used.
  explicit GpuContext(int number);
  GpuContext(const GpuContext&) = delete;
  GpuContext& operator=(const GpuContext&) = delete;

  int number() const { return number_; }
  /// Sends the calling thread's calls to this device. The destructor restores the thread's earlier
  /// device.
  class Current {
   public:
    explicit Current(const GpuContext& context);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

   private:
    int earlier_ = 0;  // of runtimes whose threads have a device instead of a stack of contexts
  };

 private:
  int number_;
  void* handle_ = nullptr;  // of runtimes with contexts
};

/// Frees memory or an object of that device. At the end of the process the runtime may have ended
/// before, and nothing is left to free.
template <class Free>
void free_on(const GpuContext& context, const Free& free) noexcept {
  try {
    const GpuContext::Current current(context);
    free();
  } catch (const std::exception&) {
  }
}

/// A library of the vendor that is opened at run time.
struct VendorLibrary {
  const char* file;
  const char* prefix;  ///< of its functions
  const char* name;    ///< for people
};

/// Except for those that free, all functions throw an Error with the call and the vendor's message
/// if they fail, or std::bad_alloc if memory runs out. They mean the calling thread's current
/// device unless they are given its number.
namespace runtime {

/// The runtime's own handles: cudaStream_t and cudaEvent_t, for example.
using StreamHandle = void*;
using EventHandle = void*;

/// "cuda": the name of the plugin's devices and of MPI's query functions.
extern const char* const device_kind;
extern const int dlpack_kind;
extern const VendorLibrary fft_library;
extern const VendorLibrary message_library;
extern const VendorLibrary compiler_library;
/// The call by which the compiler says how large its program is: prefix + "Get" + this + "Size".
extern const char* const compiled_form;

/// Says why there is no device to use; empty if there is one.
std::string reason_for_no_device();
int device_count();
int current_device();
/// -1 if this process cannot use a device at that address.
int device_at(const char* bus);
std::string bus_of(int device);
TileLimits limits_of(int device);
/// Whether launches of that device may overlap; see Launch.
bool can_overlap(int device);
/// As the compiler names it: "sm_90", "gfx90a".
std::string architecture_of(int device);
std::vector<std::string> compiler_options(const std::string& architecture);

void* allocate(std::size_t bytes);
void free(void* memory) noexcept;
void* allocate_on_host(std::size_t bytes);  ///< pinned
void free_on_host(void* memory) noexcept;
MemoryName name_of(void* memory);
void* open_memory(const MemoryName& name);
void close_memory(void* memory) noexcept;
/// Whether kernels of that device read the address as its own memory, or as managed memory.
bool holds(int device, const void* address);
void copy(void* to, const void* from, std::size_t bytes, StreamHandle stream);
void clear(void* memory, std::size_t bytes, StreamHandle stream);

/// `waits_for_default`: the stream and the runtime's default stream wait for each other.
StreamHandle make_stream(bool waits_for_default);
void destroy_stream(StreamHandle stream) noexcept;
void synchronize(StreamHandle stream);
EventHandle make_event();
void destroy_event(EventHandle event) noexcept;
void record(EventHandle event, StreamHandle stream);
bool is_over(EventHandle event);
void wait_for(StreamHandle stream, EventHandle event);

/// A kernel, and the memory of its code, which is freed with the last reference.
struct LoadedKernel {
  const void* kernel = nullptr;
  std::shared_ptr<void> code;
};

/// The kernel that was compiled with the plugin for this architecture; null if there is none.
const void* compiled_with_plugin(const TileWork& work);
const void* mode_kernel_with_plugin(Precision precision);
LoadedKernel load(std::shared_ptr<const GpuContext> context, const std::string& code,
                  const char* name);
/// Lets a kernel use that much shared memory.
void allow_shared_bytes(const void* kernel, int bytes);

/// One launch of a kernel with one argument.
struct Launch {
  const void* kernel;
  unsigned blocks;
  unsigned threads;
  unsigned shared_bytes;
  /// Blocks may begin while the last blocks of the launch before still run; they wait by
  /// themselves (device_kernel/tile_entry.hpp).
  bool overlaps;
};
void launch(const Launch& launch, void* argument, StreamHandle stream);

std::unique_ptr<LineTransform> plan_lines(std::shared_ptr<const GpuContext> context,
                                          const GpuStream& stream, const LineBatch& batch);

}  // namespace runtime
}  // namespace weft
