// Runs ready-made operators on spectra that lie in a device's memory.
#pragma once

#include <span>
#include <vector>
#include <weft/layout.hpp>

#include "backend/kernel_launcher.hpp"
#include "transform/ready_operator.hpp"

namespace weft {

class DeviceSpectrum {
 public:
  /// For this rank's part of a spectrum with this layout. The kernel may have to be compiled.
  DeviceSpectrum(const Transform& transform, const Layout& layout, int rank, ElementType element,
                 KernelLauncher& launcher);

  /// Wavenumbers in the device's memory, for the axes in memory order.
  struct Table {
    Waves waves;
    std::shared_ptr<const void> memory;
  };

  /// Uploads the wanted tables that are missing.
  std::vector<Table> made_tables(const std::vector<Waves>& wanted) const;
  /// Keeps the tables for `run`. If there would be many, tables that are not wanted are freed; no
  /// work on the stream may need these.
  void add_tables(std::vector<Table> made, const std::vector<Waves>& wanted);
  bool has_table(const Waves& waves) const;

  /// Puts the operator on the stream: from arrays in the layout to other arrays, or to the same
  /// ones. There is one array for each component.
  void run(const ReadyOperator& operation, std::span<void* const> from, std::span<void* const> to);

 private:
  KernelLauncher& launcher_;
  Precision precision_;
  const void* kernel_;
  Box box_;
  PerAxis<int> order_;
  PerAxis<Index> strides_;                    // bytes
  PerAxis<std::vector<double>> wavenumbers_;  // in this rank's box
  std::vector<Table> tables_;
};

}  // namespace weft
