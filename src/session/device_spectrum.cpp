// Wavenumbers of a box are a table for each axis, which the kernel reads again and again.
#include "session/device_spectrum.hpp"

#include <algorithm>
#include <iterator>

namespace weft {
namespace {

static_assert(mode_axes == max_axes && most_components == max_axes);

// Two for each box of the caller's: with the Nyquist mode and without.
constexpr std::size_t many_tables = 8;

}  // namespace

DeviceSpectrum::DeviceSpectrum(const Transform& transform, const Layout& layout, int rank,
                               ElementType element, KernelLauncher& launcher)
    : launcher_(launcher),
      precision_(element.precision),
      kernel_(launcher.find_mode_kernel(element.precision)),
      box_(layout.box(rank)),
      order_(layout.order()),
      strides_(layout.strides(rank)) {
  const Index bytes = element.precision == Precision::double_ ? 16 : 8;
  for (int axis = 0; axis < box_.axes(); ++axis) {
    strides_[axis] *= bytes;
    const std::vector<Index> all = transform.wavenumbers(axis);
    std::vector<double> own;
    for (Index index = box_.lower[axis]; index < box_.upper[axis]; ++index)
      own.push_back(
          static_cast<double>(all[static_cast<std::size_t>(layout.index_at(axis, index))]));
    wavenumbers_.push_back(std::move(own));
  }
}

void DeviceSpectrum::run(const ReadyOperator& operation, std::span<void* const> from,
                         std::span<void* const> to) {
  if (box_.empty()) return;
  ModeLaunch launch;
  launch.kernel = kernel_;
  launch.precision = precision_;
  launch.tables = std::ranges::find(tables_, operation.waves, &Table::waves)->memory;
  ModeJob& job = launch.job;
  job.operation = operation.operation;
  job.parameter = operation.parameter;
  job.modes = box_.volume();
  job.axes = box_.axes();
  job.kappas = static_cast<const double*>(launch.tables.get());
  PerAxis<int> place = order_;  // of an axis in memory order
  int kappas = 0;
  for (int at = 0; at < job.axes; ++at) {
    const int axis = order_[at];
    place[axis] = at;
    job.extents[at] = static_cast<unsigned>(box_.extent(axis));
    job.strides[at] = strides_[axis];
    job.first_kappa[at] = kappas;
    kappas += static_cast<int>(box_.extent(axis));
  }
  job.components = std::max(1, static_cast<int>(operation.axes.size()));
  for (std::size_t c = 0; c < operation.axes.size(); ++c)
    job.component_axis[c] = place[operation.axes[c]];
  for (int c = 0; c < job.components; ++c) {
    job.from[c] = reinterpret_cast<DeviceAddress>(from[static_cast<std::size_t>(c)]);
    job.to[c] = reinterpret_cast<DeviceAddress>(to[static_cast<std::size_t>(c)]);
  }
  launcher_.launch(launch);
}

bool DeviceSpectrum::has_table(const Waves& waves) const {
  return std::ranges::find(tables_, waves, &Table::waves) != tables_.end();
}

std::vector<DeviceSpectrum::Table> DeviceSpectrum::made_tables(
    const std::vector<Waves>& wanted) const {
  std::vector<Table> made;
  for (const Waves& waves : wanted) {
    if (has_table(waves) || std::ranges::find(made, waves, &Table::waves) != made.end()) continue;
    std::vector<double> kappas;
    for (const int axis : order_)
      for (const double k : wavenumbers_[axis]) kappas.push_back(waves.kappa(axis, k));
    made.push_back({waves, launcher_.upload(kappas.data(), kappas.size() * sizeof(double))});
  }
  return made;
}

void DeviceSpectrum::add_tables(std::vector<Table> made, const std::vector<Waves>& wanted) {
  std::ranges::move(made, std::back_inserter(tables_));
  if (tables_.size() > many_tables)
    std::erase_if(tables_, [&](const Table& table) {
      return std::ranges::find(wanted, table.waves) == wanted.end();
    });
}

}  // namespace weft
