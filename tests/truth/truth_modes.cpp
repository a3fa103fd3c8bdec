// Determines kept modes one by one, and the meaning of each array element. Slow, but independent of
// the runs of indices that the library derives from the same request.
#include <cmath>

#include "truth/truth_lines.hpp"

namespace weft::test {
namespace {

bool is_halved(Kind kind) {
  return kind == Kind::r2c || kind == Kind::c2r || kind == Kind::r2c_packed;
}

Modes modes_of(const Transform& transform, int axis) {
  return transform.modes.empty() ? Modes{} : transform.modes[axis];
}

double radius_of(const Transform& transform, int axis) {
  return transform.ellipse.empty() ? 0 : transform.ellipse[axis];
}

bool is_kept(const Transform& transform, int axis, Index k) {
  const Modes modes = modes_of(transform, axis);
  if (modes.grid != 0 && transform.kinds[axis] >= Kind::dct1) return k < modes.grid;
  if (modes.grid != 0) return 2 * k <= modes.grid && -2 * k < modes.grid;
  if (radius_of(transform, axis) > 0)
    return std::abs(static_cast<double>(k)) <= radius_of(transform, axis);
  bool kept = modes.ranges.empty();
  for (const Modes::Range& range : modes.ranges)
    kept = kept || (k >= range.first && k <= range.last);
  return kept;
}

SpectralElement plain_element(const Transform& transform, int axis, Index element) {
  const Index n = transform.shape[axis];
  const Kind kind = transform.kinds[axis];
  const Index k = signed_wavenumber(transform, axis, element);
  SpectralElement result{element, k, {{k, 1}}, {{k, 1}}};
  if (is_halved(kind)) result.synthesis.front().weight = half_complex_weight(element, n);
  const Modes modes = modes_of(transform, axis);
  const bool stands_for_two = modes.grid != 0 && modes.grid < n && modes.grid == 2 * k;
  if (!stands_for_two || kind >= Kind::dct1) return result;
  result.analysis = {{k, 1}, {-k, 1}};
  if (is_halved(kind))
    result.synthesis = {{k, 1}};
  else
    result.synthesis = {{k, 0.5L}, {-k, 0.5L}};
  return result;
}

}  // namespace

Index signed_wavenumber(const Transform& transform, int axis, Index element) {
  const Index n = transform.shape[axis];
  return transform.kinds[axis] == Kind::c2c && 2 * element > n ? element - n : element;
}

std::vector<SpectralElement> spectral_elements(const Transform& transform, int axis) {
  const Index n = transform.shape[axis];
  const Kind kind = transform.kinds[axis];
  if (kind == Kind::none) return {};
  std::vector<SpectralElement> elements;
  if (kind == Kind::r2c_packed) {
    for (Index k = 0; k < n / 2; ++k) elements.push_back(plain_element(transform, axis, k));
    elements.front().analysis.push_back({n / 2, Exact(0, 1)});
    elements.front().synthesis.push_back({n / 2, Exact(0, -1)});
    return elements;
  }
  for (Index element = 0; element < (is_halved(kind) ? n / 2 + 1 : n); ++element) {
    const Index k = signed_wavenumber(transform, axis, element);
    if (is_kept(transform, axis, k))
      elements.push_back(plain_element(transform, axis, element));
    else if (transform.dropped == Dropped::zero)
      elements.push_back({element, k, {}, {}});
  }
  return elements;
}

bool keeps_everything(const Transform& transform) {
  for (int axis = 0; axis < transform.shape.size(); ++axis)
    if (modes_of(transform, axis) != Modes{} || radius_of(transform, axis) > 0 ||
        transform.kinds[axis] == Kind::r2c_packed)
      return false;
  return true;
}

void replace_dropped(const Transform& transform, Global& spectrum, Exact value) {
  if (keeps_everything(transform)) return;
  std::vector<std::vector<SpectralElement>> elements;
  for (int axis = 0; axis < transform.shape.size(); ++axis)
    elements.push_back(spectral_elements(transform, axis));
  for (std::size_t position = 0; position < spectrum.values.size(); ++position) {
    auto rest = static_cast<Index>(position);
    bool dropped = false;
    double distance = 0;
    for (int axis = transform.shape.size() - 1; axis >= 0; --axis) {
      const Index at = rest % spectrum.shape[axis];
      rest /= spectrum.shape[axis];
      if (elements[axis].empty()) continue;
      dropped = dropped || elements[axis][at].analysis.empty();
      const auto k = static_cast<double>(elements[axis][at].wavenumber);
      if (const double radius = radius_of(transform, axis); radius > 0)
        distance += k * k / (radius * radius);
    }
    if (dropped || distance > 1) spectrum.values[position] = value;
  }
}

}  // namespace weft::test
