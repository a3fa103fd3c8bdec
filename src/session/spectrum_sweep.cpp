// Lines are passed where they lie if they are contiguous, otherwise as copies.
#include "session/spectrum_sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "pass/shared_loop.hpp"
#include "transform/modes.hpp"

namespace weft {
namespace {

/// Which indices of the array hold kept modes: with Dropped::zero not all of them.
std::vector<ModeRun> runs_of(const Transform& transform, int axis) {
  const ModeMap map = mode_map(transform, axis);
  if (transform.dropped == Dropped::zero && map.nyquist != Nyquist::packed) return map.runs;
  return {{0, 0, map.kept}};
}

Index volume_of(const PerAxis<std::vector<Index>>& lists) {
  Index volume = 1;
  for (const auto& list : lists) volume *= static_cast<Index>(list.size());
  return volume;
}

void copy_strided(std::byte* to, Index to_stride, const std::byte* from, Index from_stride,
                  Index count, Index bytes) {
  for (Index i = 0; i < count; ++i)
    std::memcpy(to + i * to_stride * bytes, from + i * from_stride * bytes,
                static_cast<std::size_t>(bytes));
}

}  // namespace

SpectrumSweep::SpectrumSweep(const Transform& transform, const Layout& layout, int rank,
                             Index element_bytes)
    : element_bytes_(element_bytes), axis_(layout.order().back()), strides_(layout.strides(rank)) {
  const Box box = layout.box(rank);
  lower_ = box.lower;
  for (int axis = 0; axis < box.axes(); ++axis) {
    const std::vector<Index> along = transform.wavenumbers(axis);
    std::vector<double> by_coordinate;
    for (Index at = 0; at < std::ssize(along); ++at)
      by_coordinate.push_back(
          static_cast<double>(along[static_cast<std::size_t>(layout.index_at(axis, at))]));
    wavenumbers_.push_back(std::move(by_coordinate));
    std::vector<Index> kept;
    for (const ModeRun& run : runs_of(transform, axis)) {
      const Index begin = std::max(run.mode, box.lower[axis]);
      const Index end = std::min(run.mode + run.count, box.upper[axis]);
      for (Index i = begin; i < end && axis != axis_; ++i) kept.push_back(i);
      if (axis == axis_ && begin < end) stretches_.push_back({begin, end - begin});
    }
    if (axis == axis_) kept.push_back(lower_[axis]);
    kept_.push_back(std::move(kept));
  }
}

void SpectrumSweep::run(std::span<void* const> fields, const RawFieldsFunction& function,
                        int threads) const {
  const Index lines = stretches_.empty() ? 0 : volume_of(kept_);
  share_loop(threads, lines, Sharing::blocks,
             [&](Index line, int) { run_line(fields, function, line); });
}

void SpectrumSweep::run_line(std::span<void* const> fields, const RawFieldsFunction& function,
                             Index line) const {
  auto at = PerAxis<double>::filled(lower_.size(), 0);
  Index offset = 0;
  for (int axis = lower_.size() - 1; axis >= 0; --axis) {
    if (axis == axis_) continue;
    const auto count = static_cast<Index>(kept_[axis].size());
    const Index index = kept_[axis][line % count];
    line /= count;
    at[axis] = wavenumbers_[axis][index];
    offset += (index - lower_[axis]) * strides_[axis];
  }
  for (const Stretch& stretch : stretches_)
    call(fields, offset + (stretch.begin - lower_[axis_]) * strides_[axis_], stretch, at, function);
}

void SpectrumSweep::call(std::span<void* const> fields, Index offset, const Stretch& stretch,
                         const PerAxis<double>& at, const RawFieldsFunction& function) const {
  const Index stride = strides_[axis_];
  const bool is_copied = stride != 1 && stretch.count > 1;
  const std::size_t copy_bytes =
      is_copied ? static_cast<std::size_t>(stretch.count * element_bytes_) : 0;
  std::vector<std::byte> copies(fields.size() * copy_bytes);
  std::vector<void*> values;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    std::byte* const first = static_cast<std::byte*>(fields[f]) + offset * element_bytes_;
    std::byte* const copy = copies.data() + f * copy_bytes;
    if (is_copied) copy_strided(copy, 1, first, stride, stretch.count, element_bytes_);
    values.push_back(is_copied ? copy : first);
  }
  function({values, stretch.count, axis_, wavenumbers_[axis_].data() + stretch.begin, &at});
  for (std::size_t f = 0; is_copied && f < fields.size(); ++f)
    copy_strided(static_cast<std::byte*>(fields[f]) + offset * element_bytes_, stride,
                 static_cast<const std::byte*>(values[f]), 1, stretch.count, element_bytes_);
}

}  // namespace weft
