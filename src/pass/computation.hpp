// What a pass computes, whatever computes it: 1-D transforms along one axis after another, and all
// that rides on them.
#pragma once

#include <optional>
#include <vector>

#include "pass/spectral_line.hpp"
#include "pass/view.hpp"
#include "transform/kinds.hpp"
#include "transform/modes.hpp"

namespace weft {

/// A 1-D transform along one axis, with everything that rides on it.
struct Step {
  int axis = 0;
  LineKind kind = LineKind::c2c_forward;
  Index length = 1;        ///< of the real side for r2c and c2r
  Index input_length = 1;  ///< elements per line in the arrays before and after
  Index output_length = 1;
  EndWeights weights;    ///< for orthogonal DCT and DST
  bool analysis = true;  ///< the spectral side is that after, else that before
  ModeMap modes;         ///< what arrays hold of the spectral side; all, where empty
  Ellipse ellipse;       ///< what is dropped of that, where it has weights

  bool selects() const { return !modes.runs.empty() && !modes.whole(); }
  /// Elements per line as the engine has them.
  Index line_input() const { return selects() && !analysis ? modes.line : input_length; }
  Index line_output() const { return selects() && analysis ? modes.line : output_length; }
  /// What becomes of a box of whole lines.
  Box output_box(Box box) const;
};

/// The way on from a step's spectrum without leaving the line: a function of the modes, and back.
struct Fusion {
  Step inverse;
  Element spectrum;
  double factor = 1;  ///< applied before the function
};

/// The part of a computation that is done line by line: at most one step; with none it copies.
struct LineComputation {
  std::optional<Step> step;
  Element input;
  Element output;
  double factor = 1;  ///< applied to what is written
  std::optional<Fusion> fusion;

  /// What the step makes: the output, or the spectrum in between.
  const Element& transformed() const { return fusion ? fusion->spectrum : output; }
};

/// What a pass computes: up to two steps. A fused one goes on to a function of the spectrum, and
/// back by `inverse`, the steps reversed.
struct Computation {
  std::vector<Step> steps;
  Element input;
  Element middle;  ///< between two steps
  Element output;
  double factor = 1;  ///< applied to what is written
  std::vector<Step> inverse;
  Element spectrum;
  double spectrum_factor = 1;  ///< applied before the function

  bool is_fused() const { return !inverse.empty(); }
  /// What becomes of a box of whole lines.
  Box output_box(Box box) const;
  /// Its parts, one after the other: those of a fused computation end where they began.
  std::vector<LineComputation> along_lines() const;
};

/// From physical to spectral by `there`, through a function, and by `back` to physical.
Computation fuse(const Computation& there, const Computation& back);

}  // namespace weft
