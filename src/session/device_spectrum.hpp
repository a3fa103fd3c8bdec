// Runs ready-made operators on spectra that lie in a device's memory.
#pragma once

#include <span>
#include <vector>
#include <weft/layout.hpp>

#include "device/kernel_launcher.hpp"
#include "transform/ready_operator.hpp"

namespace weft {

class DeviceSpectrum {
 public:
  /// Of this rank's part of a spectrum with that layout.
  DeviceSpectrum(const Transform& transform, const Layout& layout, int rank, ElementType element,
                 KernelLauncher& launcher);

  /// Puts the operator on the stream: from arrays in the layout to others, or the same. There are
  /// as many as it has components. Its wavenumbers are uploaded when it is run for the first time.
  void run(const ReadyOperator& operation, std::span<void* const> from, std::span<void* const> to);

 private:
  struct Known {
    ReadyOperator operation;
    ModeLaunch launch;
  };

  const ModeLaunch& find(const ReadyOperator& operation);
  ModeLaunch made(const ReadyOperator& operation) const;

  KernelLauncher& launcher_;
  Precision precision_;
  Box box_;
  PerAxis<int> order_;
  PerAxis<Index> strides_;                    // bytes
  PerAxis<std::vector<double>> wavenumbers_;  // in this rank's box
  std::vector<Known> known_;
};

}  // namespace weft
