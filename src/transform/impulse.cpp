// A kept mode may stand for several modes of a line; they are added here as the passes add them.
#include "transform/impulse.hpp"

#include "transform/kinds.hpp"
#include "transform/line_weights.hpp"
#include "transform/modes.hpp"

namespace weft {
namespace {

using Line = std::vector<std::complex<double>>;

/// Calls visit(index of the spectrum, element of the whole line) for the kept modes of an axis.
template <class Visit>
void for_each_kept(const Transform& transform, const ModeMap& map, Visit&& visit) {
  const bool has_room = transform.dropped == Dropped::zero && map.nyquist != Nyquist::packed;
  for (const ModeRun& run : map.runs)
    for (Index i = 0; i < run.count; ++i)
      visit(static_cast<std::size_t>((has_room ? run.mode : run.kept) + i), run.mode + i);
}

Line spectral_line(const Transform& transform, int axis) {
  return Line(static_cast<std::size_t>(transform.spectral_shape()[axis]));
}

/// The highest kept mode, where it stands for two.
Index shared_mode(const ModeMap& map) {
  const bool is_shared = map.nyquist == Nyquist::split || map.nyquist == Nyquist::doubled;
  return is_shared ? map.runs.front().count - 1 : -1;
}

}  // namespace

Line impulse_spectrum(const Transform& transform, int axis, Index point) {
  Line line = spectral_line(transform, axis);
  const Kind kind = transform.kinds[axis];
  if (kind == Kind::none) {
    line[static_cast<std::size_t>(point)] = 1;
    return line;
  }
  const Index length = transform.shape[axis];
  const LineKind analysis = line_kind(kind, Sense::analysis);
  const bool is_ortho = transform.scale.rule == Scale::Rule::ortho;
  const EndWeights ends = is_ortho ? orthogonal_weights(analysis) : EndWeights();
  const ModeMap map = mode_map(transform, axis);
  const auto entry = [&](Index to) {
    std::complex<double> value = line_entry(analysis, length, point, to);
    if (point == 0) value *= ends.first_in;
    if (point == length - 1) value *= ends.last_in;
    if (to == 0) value *= ends.first_out;
    if (to == length - 1) value *= ends.last_out;
    return value;
  };
  for_each_kept(transform, map, [&](std::size_t place, Index mode) {
    line[place] = entry(mode);
    if (map.nyquist == Nyquist::packed && mode == 0)
      line[place] += std::complex<double>(0, 1) * entry(length / 2);
    if (mode != shared_mode(map)) return;
    line[place] += map.nyquist == Nyquist::split ? entry(map.line - mode) : std::conj(line[place]);
  });
  return line;
}

Line shift_factors(const Transform& transform, int axis, Index shift) {
  Line line = spectral_line(transform, axis);
  const Kind kind = transform.kinds[axis];
  const bool is_periodic = kind == Kind::c2c || is_half_complex(kind);
  const ModeMap map = mode_map(transform, axis);
  for_each_kept(transform, map, [&](std::size_t place, Index mode) {
    if (!is_periodic)
      line[place] = 1;
    else if (mode != shared_mode(map))
      line[place] = line_entry(LineKind::c2c_forward, transform.shape[axis], shift, mode);
  });
  return line;
}

}  // namespace weft
