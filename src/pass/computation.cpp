// Splits computations into parts along lines, and fuses two into one.
#include "pass/computation.hpp"

namespace weft {

Box Step::output_box(Box box) const {
  box.upper[axis] = box.lower[axis] + output_length;
  return box;
}

Box Computation::output_box(Box box) const {
  if (is_fused()) return box;
  for (const Step& step : steps) box = step.output_box(box);
  return box;
}

std::vector<LineComputation> Computation::along_lines() const {
  if (steps.empty()) return {{{}, input, output, factor, {}}};
  std::vector<LineComputation> parts;
  const bool has_plane = steps.size() == 2;
  if (has_plane) parts.push_back({steps.front(), input, middle, 1, {}});
  const Element& before = has_plane ? middle : input;
  if (!is_fused()) {
    parts.push_back({steps.back(), before, output, factor, {}});
    return parts;
  }
  const Fusion fusion{inverse.front(), spectrum, spectrum_factor};
  parts.push_back(
      {steps.back(), before, has_plane ? middle : output, has_plane ? 1 : factor, fusion});
  if (has_plane) parts.push_back({inverse.back(), middle, output, factor, {}});
  return parts;
}

Computation fuse(const Computation& there, const Computation& back) {
  Computation fused = there;
  fused.spectrum = there.output;
  fused.spectrum_factor = there.factor;
  fused.inverse = back.steps;
  fused.output = back.output;
  fused.factor = back.factor;
  return fused;
}

}  // namespace weft
