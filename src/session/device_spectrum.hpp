// Runs ready-made operators on spectra that lie in a device's memory.
#pragma once

#include <deque>
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
  /// as many as it has components. Wavenumbers are uploaded when they are needed for the first
  /// time.
  void run(const ReadyOperator& operation, std::span<void* const> from, std::span<void* const> to);

 private:
  struct Table {
    Waves waves;
    std::shared_ptr<const void> memory;
  };

  /// In the device's memory, for the axes in memory order.
  std::shared_ptr<const void> table_of(const Waves& waves);

  KernelLauncher& launcher_;
  Precision precision_;
  Box box_;
  PerAxis<int> order_;
  PerAxis<Index> strides_;                    // bytes
  PerAxis<std::vector<double>> wavenumbers_;  // in this rank's box
  std::deque<Table> tables_;                  // the latest first
};

}  // namespace weft
