// A launch copies a job of some 80 bytes; planning has looked up everything else.
#include "gpu/gpu_launcher.hpp"

#include <algorithm>

#include "device_kernel/mode_entry.hpp"
#include "gpu/runtime_compiler.hpp"

namespace weft {
namespace {

int number_bytes(const TileWork& work) { return work.precision == Precision::double_ ? 16 : 8; }

}  // namespace

std::shared_ptr<std::byte> allocate_on(std::shared_ptr<const GpuContext> context,
                                       std::size_t bytes) {
  const GpuContext::Current current(*context);
  void* const memory = runtime::allocate(bytes);
  return {static_cast<std::byte*>(memory), [context = std::move(context)](std::byte* freed) {
            free_on(*context, [&] { runtime::free(freed); });
          }};
}

GpuLauncher::GpuLauncher(std::shared_ptr<const GpuContext> context, const GpuStream& stream,
                         std::shared_ptr<KernelStore> store)
    : context_(std::move(context)),
      stream_(stream),
      store_(std::move(store)),
      limits_(runtime::limits_of(context_->number())),
      overlaps_(runtime::can_overlap(context_->number())),
      architecture_(runtime::architecture_of(context_->number())) {}

std::shared_ptr<const void> GpuLauncher::upload(const void* data, std::size_t bytes) {
  std::shared_ptr<const std::byte> memory = allocate_on(context_, std::max<std::size_t>(bytes, 1));
  const GpuContext::Current current(*context_);
  if (bytes == 0) return memory;
  // A copy without a stream would use the default stream, for which streams of callers need not
  // wait.
  runtime::copy(const_cast<std::byte*>(memory.get()), data, bytes, stream_.get());
  runtime::synchronize(stream_.get());
  return memory;
}

runtime::LoadedKernel GpuLauncher::find(const TileWork& work) const {
  if (const void* const kernel = runtime::compiled_with_plugin(work)) return {kernel, nullptr};
  return runtime::load(context_, compiled_kernel(work, architecture_, *store_), kernel_name);
}

const void* GpuLauncher::find_kernel(const TileWork& work) {
  const auto known = std::ranges::find(found_, work, &Found::work);
  if (known != found_.end()) return known->loaded.kernel;
  const GpuContext::Current current(*context_);
  Found found{work, find(work)};
  runtime::allow_shared_bytes(found.loaded.kernel, work.plan.shared_bytes(number_bytes(work)));
  found_.push_back(std::move(found));
  return found_.back().loaded.kernel;
}

void GpuLauncher::launch(const TileLaunch& launch) {
  const GpuContext::Current current(*context_);
  const TilePlan& plan = launch.work.plan;
  TileJob job = launch.job;
  runtime::launch(
      {.kernel = launch.kernel,
       .blocks = static_cast<unsigned>(job.tiles),
       .threads = static_cast<unsigned>(plan.threads()),
       .shared_bytes = static_cast<unsigned>(plan.shared_bytes(number_bytes(launch.work))),
       .overlaps = overlaps_},
      &job, stream_.get());
}

const void* GpuLauncher::find_mode_kernel(Precision precision) {
  runtime::LoadedKernel& modes = modes_[static_cast<std::size_t>(precision)];
  if (modes.kernel == nullptr) modes.kernel = runtime::mode_kernel_with_plugin(precision);
  if (modes.kernel != nullptr) return modes.kernel;
  const GpuContext::Current current(*context_);
  modes =
      runtime::load(context_, compiled_mode_kernel(precision, architecture_, *store_), kernel_name);
  return modes.kernel;
}

void GpuLauncher::launch(const ModeLaunch& launch) {
  const GpuContext::Current current(*context_);
  ModeJob job = launch.job;
  runtime::launch({.kernel = launch.kernel,
                   .blocks = mode_blocks(job.modes),
                   .threads = mode_threads,
                   .shared_bytes = 0,
                   .overlaps = false},
                  &job, stream_.get());
}

}  // namespace weft
