// Describes the computation of a pass, independent of its implementation: 1-D transforms along one
// axis after another. Scaling and mode selection are merged into them to save sweeps over memory.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "pass/spectral_line.hpp"
#include "transform/kinds.hpp"
#include "transform/modes.hpp"
#include "view/view.hpp"

namespace weft {

/// Joins the transforms of two axes that are parts of one of n elements: element k of the lines at
/// index s of `axis` is multiplied by exp(-2 pi i s k / n) after a forward transform, or by the
/// conjugate before a backward one (Cooley and Tukey, "An algorithm for the machine calculation of
/// complex Fourier series", Math. Comput. 19, 1965).
struct Twiddle {
  int axis = -1;     ///< -1: there is none
  Index length = 1;  ///< n

  bool turns() const { return axis >= 0; }
};

/// A 1-D transform along one axis, with the weights and mode selection that are applied with it.
struct Step {
  int axis = 0;
  LineKind kind = LineKind::c2c_forward;
  Index length = 1;        ///< of the real side for r2c and c2r
  Index input_length = 1;  ///< elements per line in the arrays before and after
  Index output_length = 1;
  EndWeights weights;    ///< for orthogonal DCT and DST
  bool analysis = true;  ///< whether the spectral side is the output; else it is the input
  ModeMap modes;         ///< which modes the spectral array holds; all, if empty
  Ellipse ellipse;       ///< which of these modes are set to zero; none, if it has no squares
  Twiddle twiddle;       ///< multiplies the spectral side; trivial for axes that are not split
  /// Lines are contiguous in the arrays that the pass reads and writes. Kernels then choose another
  /// algorithm for some lengths; all parts of a plan must choose alike.
  bool contiguous_lines = false;

  bool selects() const { return !modes.runs.empty() && !modes.whole(); }
  /// Whether kept modes differ from the values of the transform, or lie in another order.
  bool changes_modes() const {
    return ellipse.squares || twiddle.turns() || modes.is_dealt() ||
           (selects() && modes.nyquist != Nyquist::plain);
  }
  /// Elements per line as the engine sees them.
  Index line_input() const { return selects() && !analysis ? modes.line : input_length; }
  Index line_output() const { return selects() && analysis ? modes.line : output_length; }
  /// The output box that corresponds to an input box of whole lines.
  Box output_box(Box box) const;
};

/// Continues a step within the line: a function is applied to its spectrum, then the inverse step.
struct Fusion {
  Step inverse;
  Element spectrum;
  double factor = 1;  ///< applied before the function
};

/// A part of a computation that runs line by line. It has at most one step; without a step it
/// copies.
struct LineComputation {
  std::optional<Step> step;
  Element input;
  Element output;
  double factor = 1;  ///< applied to the values written
  std::optional<Fusion> fusion;

  /// The element type of the step's result: the output, or the spectrum of a fusion.
  const Element& transformed() const { return fusion ? fusion->spectrum : output; }
};

/// The computation of a pass: up to two steps. A fused computation then applies a function to the
/// spectrum, and returns by `inverse`, the inverse steps in reverse order.
struct Computation {
  std::vector<Step> steps;
  Element input;
  Element middle;  ///< between two steps
  Element output;
  double factor = 1;  ///< applied to the values written
  std::vector<Step> inverse;
  Element spectrum;
  double spectrum_factor = 1;  ///< applied before the function

  bool is_fused() const { return !inverse.empty(); }
  /// The output box that corresponds to an input box of whole lines.
  Box output_box(Box box) const;
  /// The parts in the order in which they run. The parts of a fused computation lead back to the
  /// array's original form.
  std::vector<LineComputation> along_lines() const;
};

/// The places of a part's elements in the lines of the engine: first, first + step, ...
struct LinePlaces {
  Index first = 0;
  Index step = 1;
};

/// Splits a box along the runs of kept modes and calls visit(part, places) for each part.
template <class Visit>
void for_each_run(const Step& step, bool spectral, const Box& box, Visit&& visit) {
  if (!step.selects() || !spectral) {
    visit(box, LinePlaces{box.lower[step.axis], 1});
    return;
  }
  for (const ModeRun& run : step.modes.runs) {
    Box part = box;
    part.lower[step.axis] = std::max(part.lower[step.axis], run.kept);
    part.upper[step.axis] = std::min(part.upper[step.axis], run.kept + run.count);
    if (part.empty()) continue;
    visit(part, LinePlaces{run.mode + (part.lower[step.axis] - run.kept) * run.step, run.step});
  }
}

/// Combines `there` (physical to spectral), a function of the spectrum, and `back` (to physical).
Computation fuse(const Computation& there, const Computation& back);

}  // namespace weft
