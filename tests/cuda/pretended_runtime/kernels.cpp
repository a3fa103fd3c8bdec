// Kernels and their launches. A kernel is known by its name, or by the program that NVRTC was
// given; the host runs the same source (device_kernel/), and checks addresses, alignment and
// limits.
#include <cuda_runtime_api.h>
#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "backend/kernel_launcher.hpp"
#include "contract.hpp"
#include "device/emulated_memory.hpp"
#include "device_kernel/host_team.hpp"
#include "device_kernel/mode_kernel.hpp"
#include "device_kernel/tile_kernel.hpp"
#include "gpu/runtime_compiler.hpp"
#include "memory.hpp"
#include "streams.hpp"

namespace weft::test {
namespace {

std::byte* bytes_at(DeviceAddress address) {
  return kernel_bytes(reinterpret_cast<const void*>(address));
}

/// Threads that check what a GPU does not allow.
class CheckedTeam : public HostTeam {
 public:
  CheckedTeam(int threads, int shared_bytes, const DeviceTranslation& translate)
      : HostTeam(threads, shared_bytes, translate),
        bytes_of_launch_(static_cast<std::size_t>(shared_bytes)) {}

  template <class T>
  T read(DeviceAddress address) const {
    check_alignment<T>(address);
    return HostTeam::read<T>(address);
  }
  template <class T>
  void write(DeviceAddress address, T value) const {
    check_alignment<T>(address);
    HostTeam::write<T>(address, value);
  }
  template <class T>
  T get(int slot) const {
    check_slot<T>(slot);
    return HostTeam::get<T>(slot);
  }
  template <class T>
  void put(int slot, T value) const {
    check_slot<T>(slot);
    HostTeam::put<T>(slot, value);
  }

 private:
  template <class T>
  static void check_alignment(DeviceAddress address) {
    constexpr std::size_t moved_together = sizeof(T) & (~sizeof(T) + 1);
    require(address % moved_together == 0, "a kernel", "numbers are aligned to their size");
    bytes_at(address + sizeof(T) - 1);
  }
  template <class T>
  void check_slot(int slot) const {
    require(slot >= 0 && (static_cast<std::size_t>(slot) + 1) * sizeof(T) <= bytes_of_launch_,
            "a kernel", "shared memory is as large as the launch says");
  }

  std::size_t bytes_of_launch_;
};

struct Kernel {
  enum class Kind { tiles, modes } kind;
  TileWork work;
  int shared_limit = 48 << 10;  ///< bytes, until cudaFuncSetAttribute raises it
};

std::map<const void*, Kernel>& kernels() {
  static auto* const all = new std::map<const void*, Kernel>;  // libraries are unloaded late
  return *all;
}

Kernel& kernel_of(const std::string& call, const void* function) {
  const auto known = kernels().find(function);
  require(known != kernels().end(), call, "the kernel exists");
  return known->second;
}

int number_bytes(const TileWork& work) { return work.precision == Precision::double_ ? 16 : 8; }

/// The kernels of cuda_kernel/compiled_kernels.cuh and mode_kernels.cu.
Kernel kernel_named(const char* mangled) {
  int status = 0;
  char* const demangled = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  const std::string name = demangled != nullptr ? demangled : mangled;
  std::free(demangled);
  Kernel kernel{};
  kernel.work.precision =
      name.find("<double") != std::string::npos ? Precision::double_ : Precision::single_;
  if (name.find("run_modes<") != std::string::npos) {
    kernel.kind = Kernel::Kind::modes;
    return kernel;
  }
  int kind = 0, length = 0, from = 0, to = 0;
  const auto parameters = name.find('(', name.find('<'));
  require(parameters != std::string::npos &&
              std::sscanf(name.c_str() + parameters,
                          "(weft::TileKind)%d, %d, (weft::TileAccess)%d, (weft::TileAccess)%d",
                          &kind, &length, &from, &to) == 4,
          "a kernel", "its name says what it is made for: " + name);
  TileWork& work = kernel.work;
  work.variant = {static_cast<TileAccess>(from), static_cast<TileAccess>(to)};
  work.plan = plan_for(make_tile_plan(static_cast<TileKind>(kind), length, number_bytes(work) / 2),
                       work.variant);
  return kernel;
}

/// The numbers behind a name in a program, in their order.
std::vector<int> numbers_after(const std::string& program, const std::string& name) {
  const auto begin = program.find(name);
  require(begin != std::string::npos, "cudaLibraryLoadData", "the program has a " + name);
  std::string digits = program.substr(begin + name.size());
  digits.resize(std::min(digits.find('\n'), digits.size()));
  for (char& letter : digits)
    if (letter < '0' || letter > '9') letter = ' ';
  std::istringstream stream(digits);
  std::vector<int> numbers;
  for (int number = 0; stream >> number;) numbers.push_back(number);
  return numbers;
}

/// The kernel of a program of src/gpu/runtime_compiler.cpp.
Kernel kernel_of_program(const std::string& program) {
  Kernel kernel{};
  TileWork& work = kernel.work;
  if (program.find("run_modes_in_turn<") != std::string::npos) {
    kernel.kind = Kernel::Kind::modes;
    work.precision =
        program.find("<double>") != std::string::npos ? Precision::double_ : Precision::single_;
    return kernel;
  }
  work.precision = program.find("run_tile<double") != std::string::npos ? Precision::double_
                                                                        : Precision::single_;
  const std::vector<int> plan = numbers_after(program, "weft::TilePlan plan = ");
  const std::vector<int> variant = numbers_after(program, "weft::TileVariant");
  require(plan.size() == 8 + max_radices && variant.size() == 2, "cudaLibraryLoadData",
          "the program names a plan and a variant");
  auto next = plan.begin();
  work.plan.kind = static_cast<TileKind>(*next++);
  for (int* const field :
       {&work.plan.length, &work.plan.numbers, &work.plan.transformed, &work.plan.stages})
    *field = *next++;
  for (int& radix : work.plan.radices) radix = *next++;
  for (int* const field : {&work.plan.lines, &work.plan.line_threads, &work.plan.held})
    *field = *next++;
  work.variant = {static_cast<TileAccess>(variant[0]), static_cast<TileAccess>(variant[1])};
  return kernel;
}

/// The host's address of a table. Unmapped pages surround a device's memory, so a table that does
/// not exist is noticed when it is read; an empty one may begin at the end of memory.
template <class T>
const T* table(const T* at) {
  require(at == nullptr || is_emulated(at), "a kernel", "its tables are in a device's memory");
  return reinterpret_cast<const T*>(emulated_bytes(at));
}

template <class Real>
void run_tiles(const TileWork& work, TileJob job, int shared_bytes) {
  job.patches = table(job.patches);
  job.segments = table(job.segments);
  job.constants = table(static_cast<const std::byte*>(job.constants));
  job.squares = table(job.squares);
  const VariablePlan plan{work.plan, work.variant};
  const DeviceTranslation translate = bytes_at;
  const CheckedTeam team(work.plan.threads(), shared_bytes, translate);
  for (Index tile = 0; tile < job.tiles; ++tile)
    TileKernel<Real, VariablePlan, CheckedTeam>(team, plan, job, static_cast<unsigned>(tile)).run();
}

template <class Real>
void run_modes(ModeJob job) {
  job.kappas = table(job.kappas);
  const DeviceTranslation translate = bytes_at;
  const CheckedTeam team(1, 0, translate);
  for (Index mode = 0; mode < job.modes; ++mode) run_mode<Real>(team, job, mode);
}

template <class Job>
Job argument(void** arguments) {
  Job job;
  std::memcpy(&job, arguments[0], sizeof job);
  return job;
}

void launch(const std::string& call, const void* function, dim3 grid, dim3 block, void** arguments,
            std::size_t shared_bytes, cudaStream_t stream) {
  const std::lock_guard lock(*common_lock());
  const Kernel& kernel = kernel_of(call, function);
  require(grid.x > 0 && grid.x <= max_tiles && grid.y == 1 && grid.z == 1, call,
          "the grid has between 1 and 2^31 - 1 blocks");
  require(block.x > 0 && block.x <= 1024 && block.y == 1 && block.z == 1, call,
          "a block has between 1 and 1024 threads");
  require(shared_bytes <= static_cast<std::size_t>(kernel.shared_limit), call,
          "the kernel may have that much shared memory");
  const bool is_double = kernel.work.precision == Precision::double_;
  if (kernel.kind == Kernel::Kind::modes) {
    append(call, stream, [is_double, job = argument<ModeJob>(arguments)] {
      is_double ? run_modes<double>(job) : run_modes<float>(job);
    });
    return;
  }
  const auto job = argument<TileJob>(arguments);
  require(static_cast<int>(block.x) == kernel.work.plan.threads(), call,
          "a block has the threads that the kernel is made for");
  require(grid.x == job.tiles, call, "each tile has a block");
  append(call, stream,
         [is_double, job, work = kernel.work, bytes = static_cast<int>(shared_bytes)] {
           is_double ? run_tiles<double>(work, job, bytes) : run_tiles<float>(work, job, bytes);
         });
}

/// A launch as <<<...>>> begins it, until the code of nvcc takes it.
struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};
thread_local Configuration configuration;

}  // namespace
}  // namespace weft::test

using namespace weft::test;

extern "C" {

void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char* function, char*, const char* name, int, void*,
                            void*, void*, void*, int*) {
  const std::lock_guard lock(*common_lock());
  kernels()[function] = kernel_named(name);
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream) {
  configuration = {grid, block, shared_bytes, stream};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
  *grid = configuration.grid;
  *block = configuration.block;
  *shared_bytes = configuration.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = configuration.stream;
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  current_device("cudaFuncGetAttributes");
  const std::lock_guard lock(*common_lock());
  kernel_of("cudaFuncGetAttributes", function);
  *attributes = {};
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  current_device("cudaFuncSetAttribute");
  const std::lock_guard lock(*common_lock());
  require(attribute == cudaFuncAttributeMaxDynamicSharedMemorySize && value <= 227 << 10,
          "cudaFuncSetAttribute", "a block has at most 227 KiB of shared memory");
  kernel_of("cudaFuncSetAttribute", function).shared_limit = value;
  return cudaSuccess;
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption*, void**,
                                unsigned, cudaLibraryOption*, void**, unsigned) {
  current_device("cudaLibraryLoadData");
  const std::lock_guard lock(*common_lock());
  auto* const kernel = new Kernel(kernel_of_program(static_cast<const char*>(code)));
  kernels()[kernel] = *kernel;
  *library = reinterpret_cast<cudaLibrary_t>(kernel);
  return cudaSuccess;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  require(std::string(name) == weft::kernel_name, "cudaLibraryGetKernel", "the name is known");
  const std::lock_guard lock(*common_lock());
  kernel_of("cudaLibraryGetKernel", library);
  *kernel = reinterpret_cast<cudaKernel_t>(library);
  return cudaSuccess;
}
cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  synchronize_device(current_device("cudaLibraryUnload"));
  const std::lock_guard lock(*common_lock());
  kernel_of("cudaLibraryUnload", library);
  kernels().erase(library);
  delete reinterpret_cast<Kernel*>(library);
  return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  for (unsigned number = 0; number < config->numAttrs; ++number)
    require(config->attrs[number].id == cudaLaunchAttributeProgrammaticStreamSerialization,
            "cudaLaunchKernelExC", "the attribute is pretended");
  launch("cudaLaunchKernelExC", function, config->gridDim, config->blockDim, arguments,
         config->dynamicSmemBytes, config->stream);
  return cudaSuccess;
}
cudaError_t cudaPretendedLaunch(const void* kernel, unsigned blocks, unsigned threads,
                                void** arguments, size_t shared_bytes, cudaStream_t stream) {
  launch("cudaPretendedLaunch", kernel, blocks, threads, arguments, shared_bytes, stream);
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  const std::lock_guard lock(*common_lock());
  kernel_of("<<<>>>", function);
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream) {
  launch("<<<>>>", kernel, grid, block, arguments, shared_bytes, stream);
  return cudaSuccess;
}

}  // extern "C"
