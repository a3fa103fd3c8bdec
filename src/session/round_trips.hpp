// Calls that go to the spectrum and back. One field is changed in the tile of its last
// pass. Several fields meet in memory, because a tile holds one field; fields on a device
// also meet there.
#pragma once

#include <memory>
#include <vector>

#include "session/device_spectrum.hpp"
#include "session/spectrum_sweep.hpp"
#include "session/transforms.hpp"

namespace weft {

class RoundTrips {
 public:
  /// All of them must outlive it.
  RoundTrips(const PlannedRequest& plan, const PlanEnds& ends, Resources& resources, Ways& ways,
             Calls& calls, Transforms& transforms, Progress& progress);

  /// From a physical array to the spectrum, through functions[i] and back to outs[i]. On first use
  /// it takes the memory it needs.
  void apply(const ApplyCall& call);
  void apply(const FieldsCall& call);

  /// Bytes of the memory and windows that only round trips use.
  std::size_t bytes() const;
  std::size_t tile_bytes() const;
  /// Nothing runs afterwards on this rank: frees the memory that no other rank uses.
  void retire();

 private:
  /// For one field on the host.
  struct Fused {
    std::unique_ptr<Program> program;
    Memory arena;
    std::vector<std::shared_ptr<SharedSlot>> windows;
  };
  /// For several fields, or on a device: the spectra of all fields, and the lines through them.
  struct Spectra {
    std::vector<Memory> fields;
    std::unique_ptr<SpectrumSweep> sweep;
    std::unique_ptr<DeviceSpectrum> on_device;  // instead of `sweep`
  };

  const Transform& transform() const { return plan_.request.transform; }
  const Options& options() const { return plan_.request.options; }
  bool is_on_host() const { return resources_.device().stream() == nullptr; }
  template <class Function>
  const ReadyOperator* require_ready(const Function& function) const;
  void require_spectra() const;
  void check(const ApplyCall& call) const;
  void check(const FieldsCall& call) const;
  Routes routes_with_windows() const;
  void prepare_fused();
  void prepare_spectra(std::size_t fields);
  void prepare_operators(const std::vector<Waves>& wanted, std::uint64_t number);
  void execute(const ApplyCall& call, std::uint64_t number);
  void execute_on_device(const ApplyCall& call, std::uint64_t number);
  void execute(const FieldsCall& call, std::uint64_t number);
  void transform_spectra(Direction direction, std::span<const RawArray> in,
                         std::span<const RawArray> out, std::uint64_t number);

  const PlannedRequest& plan_;
  const PlanEnds& ends_;
  Resources& resources_;
  Ways& ways_;
  Calls& calls_;
  Transforms& transforms_;
  Progress& progress_;
  Direction there_;  // from the physical array to the spectrum
  Side physical_;
  Side spectral_;
  Fused fused_;
  Spectra spectra_;
};

}  // namespace weft
