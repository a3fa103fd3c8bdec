// The interface through which a device, or its substitute in tests, runs kernels: it keeps their
// tables, and launches them in the order of a stream.
#pragma once

#include <cstddef>
#include <memory>
#include <weft/transform.hpp>

#include "device_kernel/mode_kernel.hpp"
#include "device_kernel/tile_job.hpp"
#include "device_kernel/tile_plan.hpp"

namespace weft {

/// The work that a kernel is made for.
struct TileWork {
  TilePlan plan;
  Precision precision = Precision::double_;
  TileVariant variant = {};

  friend bool operator==(const TileWork&, const TileWork&) = default;
};

/// One launch of a kernel.
struct TileLaunch {
  TileWork work;
  const void* kernel = nullptr;  ///< the result of find_kernel for this work
  TileJob job;
  std::shared_ptr<const void> tables;  ///< the tables that the job points to
};

/// An operator on spectra.
struct ModeLaunch {
  const void* kernel = nullptr;  ///< the result of find_mode_kernel for this precision
  ModeJob job;
  Precision precision = Precision::double_;
  std::shared_ptr<const void> tables;  ///< the tables that the job points to
};

class KernelLauncher {
 public:
  virtual ~KernelLauncher() = default;
  /// The resources that a block of threads may use.
  virtual TileLimits limits() const = 0;
  /// Copies bytes to the device's memory. get() is their address there, aligned to 256 bytes. They
  /// are freed with the last reference.
  virtual std::shared_ptr<const void> upload(const void* data, std::size_t bytes) = 0;
  /// The kernel for that work, which lives as long as the launcher. Null if a launch itself
  /// contains all that the launcher needs. The kernel may have to be compiled, which takes seconds.
  virtual const void* find_kernel(const TileWork& work) = 0;
  /// The same for spectral operators on numbers of that precision.
  virtual const void* find_mode_kernel(Precision precision) = 0;
  /// Appends a launch to the stream. `launch.tables` may be needed until the stream has reached it.
  virtual void launch(const TileLaunch& launch) = 0;
  virtual void launch(const ModeLaunch& launch) = 0;
};

}  // namespace weft
