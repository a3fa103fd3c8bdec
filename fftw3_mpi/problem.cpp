// FFTW-MPI's slabs, padded rows, signs and interleaved arrays in terms of Layout and Transform.
#include "problem.hpp"

#include <algorithm>
#include <array>

namespace weft::fftw {
namespace {

bool has(const Problem& problem, Kind kind) {
  return std::ranges::find(problem.kinds, kind) != problem.kinds.end();
}

bool is_halved(const Problem& problem) {
  return has(problem, Kind::r2c) || has(problem, Kind::c2r);
}

bool is_complex(const Problem& problem) { return has(problem, Kind::c2c) || is_halved(problem); }

bool only_transposes(const Problem& problem) { return problem.kinds.front() == Kind::none; }

void require(bool condition, const char* reason) {
  if (!condition) throw Error(reason);
}

void check_single_axis(const Problem& problem) {
  require(has(problem, Kind::c2c), "one axis of real numbers");
  require(problem.input_block == 0 && problem.output_block == 0, "one axis with blocks of its own");
  require(!(problem.flags & (Flags::transposed_in | Flags::transposed_out)),
          "transposed, and one axis only");
}

/// Refuses what Weft has no counterpart for, and what FFTW itself refuses by returning no plan.
void check(const Problem& problem) {
  const unsigned flags = problem.flags;
  const std::size_t axes = problem.shape.size();
  require(axes >= 1, "no axes");
  require(axes + (problem.howmany > 1) <= max_axes, "more axes than Weft supports");
  require(!problem.kinds.empty(), "DHT, half-complex formats and unknown kinds");
  require(!(flags & Flags::wisdom_only), "FFTW_WISDOM_ONLY");
  check_sizes(problem.shape, problem.howmany, {problem.input_block, problem.output_block});
  if (axes == 1) return check_single_axis(problem);
  require(!(flags & (Flags::scrambled_in | Flags::scrambled_out)),
          "scrambled order of several axes");
  // FFTW's transforms then transpose the first axes that are longer than 1, against its manual.
  require(!(flags & (Flags::transposed_in | Flags::transposed_out)) || only_transposes(problem) ||
              (problem.shape[0] > 1 && problem.shape[1] > 1),
          "transposed, and one of the first two axes has length 1");
  const bool cuts_real_rows = axes == 2 && ((has(problem, Kind::r2c) && (flags & transposed_in)) ||
                                            (has(problem, Kind::c2r) && (flags & transposed_out)));
  require(!cuts_real_rows, "padded rows cut among ranks");
}

/// The layout of an array that is cut into `slabs`. `slowest` is the axis, 0 or 1, that is slowest
/// in memory.
Layout layout_of(const std::vector<Size>& lengths, Size elements, const Slabs& slabs, int slowest,
                 int ranks) {
  if (slabs.blocks(lengths) > ranks)
    throw Error("blocks of " + std::to_string(slabs.block) + " along an axis of length " +
                std::to_string(lengths[static_cast<std::size_t>(slabs.axis)]) + " take " +
                std::to_string(slabs.blocks(lengths)) + " ranks, and there are " +
                std::to_string(ranks));
  Shape shape(lengths.begin(), lengths.end());
  if (elements > 1) shape.push_back(elements);
  Order order = natural_order(shape.size());
  if (slowest == 1) std::swap(order[0], order[1]);
  if (slabs.block == Slabs::of(lengths, slabs.axis, 0, ranks).block)
    return Layout::slabs(shape, ranks, slabs.axis).partitioned(Partition::blocks).ordered(order);
  std::vector<Box> boxes(static_cast<std::size_t>(ranks), Box::whole(shape));
  for (Index rank = 0; rank < ranks; ++rank) {
    Box& box = boxes[static_cast<std::size_t>(rank)];
    const Index length = shape[slabs.axis];
    box.lower[slabs.axis] = std::min(length, slabs.block * rank);
    box.upper[slabs.axis] = std::min(length, slabs.block * (rank + 1));
  }
  return Layout::boxes(shape, std::move(boxes)).ordered(order);
}

/// The layout of one end of a transform of one axis, the first of `shape`.
Layout layout_of(const AxisEnd& end, const Shape& shape, int ranks) {
  PerAxis<std::vector<Index>> cuts;
  for (Index length : shape) cuts.push_back({0, length});
  cuts[0].clear();
  for (Index part = 0; part <= ranks; ++part)
    cuts[0].push_back(std::min(shape[0], end.slabs.block * part));
  const Layout layout = end.classes == 1 ? Layout::slabs(shape, ranks)
                                         : Layout::scrambled(shape[0], end.classes, ranks);
  return layout.cut_at(std::move(cuts));
}

/// Rows of real numbers have room for n/2+1 complex ones.
Layout with_padded_rows(const Layout& layout, const Problem& problem) {
  PerAxis<Index> extra = PerAxis<Index>::filled(layout.global().size(), 0);
  const Size row = problem.shape.back();
  extra[static_cast<int>(problem.shape.size()) - 1] = 2 * (row / 2 + 1) - row;
  return layout.padded(extra);
}

/// Whether pairs of the numbers at a point move as one complex number, which takes half as many
/// elements, and without `howmany` an axis fewer.
bool moves_pairs(const Problem& problem) {
  return only_transposes(problem) && problem.howmany % 2 == 0;
}

/// The elements at a point, of which the layouts and the transform make an axis.
Size elements_per_point(const Problem& problem) {
  return moves_pairs(problem) ? problem.howmany / 2 : problem.howmany;
}

Transform transform_of(const Problem& problem) {
  Shape shape(problem.shape.begin(), problem.shape.end());
  std::vector<Kind> kinds = problem.kinds;
  if (const Size elements = elements_per_point(problem); elements > 1) {
    shape.push_back(elements);
    kinds.push_back(Kind::none);
  }
  Transform transform(shape, kinds, element_of<Real>().precision);
  if (moves_pairs(problem)) transform.element_bytes = 2 * static_cast<int>(sizeof(Real));
  return transform;
}

Translation without_layouts(const Problem& problem) {
  Translation result;
  result.transform = transform_of(problem);
  const bool is_real = !is_complex(problem) && !moves_pairs(problem);
  const Precision precision = element_of<Real>().precision;
  result.input_type = {precision, has(problem, Kind::r2c) || is_real};
  result.output_type = {precision, has(problem, Kind::c2r) || is_real};
  if (has(problem, Kind::c2c) && !is_halved(problem) && problem.sign > 0) {
    result.direction = Direction::backward;
    result.transform.scale.rule = Scale::Rule::forward;  // the way back is unscaled
  }
  return result;
}

Translation translate_single_axis(const Problem& problem, int ranks, int rank) {
  const bool is_scrambled = problem.flags & (Flags::scrambled_in | Flags::scrambled_out);
  const Size fields = problem.howmany;
  require(fields == 1 || !is_scrambled, "scrambled order with howmany above 1");
  // Weft would give each field to one rank.
  require(fields == 1 || fields >= ranks, "one axis with howmany below the number of ranks");
  const auto axis =
      SingleAxis::of(problem.shape[0], fields, problem.sign, problem.flags, ranks, rank);
  Translation result = without_layouts(problem);
  result.input = layout_of(axis.input, result.transform.shape, ranks);
  result.output = layout_of(axis.output, result.transform.shape, ranks);
  result.allocation = 2 * axis.allocation;
  return result;
}

}  // namespace

std::vector<Kind> kinds_of(int rank, const R2rKind* kinds) {
  // In FFTW's order of names; 01 is the inverse of 10.
  constexpr std::array counterparts = {Kind::dct1, Kind::dct3, Kind::dct2, Kind::dct4,
                                       Kind::dst1, Kind::dst3, Kind::dst2, Kind::dst4};
  std::vector<Kind> result;
  for (int axis = 0; axis < rank; ++axis) {
    const int trigonometric = kinds[axis] - R2rKind::redft00;
    if (trigonometric < 0 || trigonometric >= static_cast<int>(counterparts.size())) return {};
    result.push_back(counterparts[static_cast<std::size_t>(trigonometric)]);
  }
  return result;
}

Translation translate(const Problem& problem, int ranks, int rank) {
  check(problem);
  if (problem.shape.size() == 1) return translate_single_axis(problem, ranks, rank);
  const int transposed_in = (problem.flags & Flags::transposed_in) ? 1 : 0;
  const int transposed_out = (problem.flags & Flags::transposed_out) ? 1 : 0;
  // A transpose always leads from rows to columns. Its flags say that the ranks' own parts are
  // stored transposed.
  const int input_axis = only_transposes(problem) ? 0 : transposed_in;
  const int output_axis = only_transposes(problem) ? 1 : transposed_out;
  const int output_slowest = only_transposes(problem) ? 1 - transposed_out : transposed_out;
  std::vector<Size> complex_shape = problem.shape;
  if (is_halved(problem)) complex_shape.back() = problem.shape.back() / 2 + 1;
  const Slabs from = Slabs::of(complex_shape, input_axis, problem.input_block, ranks);
  const Slabs to = Slabs::of(complex_shape, output_axis, problem.output_block, ranks);
  // Where FFTW's results differ from our reading of its manual, programs get FFTW's.
  require(from.axis != to.axis || from.block == to.block, "different blocks of the same axis");
  require(!has(problem, Kind::c2r) || from.axis == to.axis ||
              (problem.input_block == 0 && problem.output_block == 0),
          "transposed c2r with blocks of its own");

  Translation result = without_layouts(problem);
  const bool from_real = has(problem, Kind::r2c);
  const bool to_real = has(problem, Kind::c2r);
  const Size elements = elements_per_point(problem);
  result.input =
      layout_of(from_real ? problem.shape : complex_shape, elements, from, transposed_in, ranks);
  result.output =
      layout_of(to_real ? problem.shape : complex_shape, elements, to, output_slowest, ranks);
  if (from_real) result.input = with_padded_rows(result.input, problem);
  if (to_real) result.output = with_padded_rows(result.output, problem);
  result.allocation = allocation(complex_shape, problem.howmany, from, to, ranks, rank) *
                      (is_complex(problem) ? 2 : 1);
  return result;
}

std::string to_string(const Problem& problem) {
  std::string text;
  const bool alike =
      std::ranges::all_of(problem.kinds, [&](Kind kind) { return kind == problem.kinds.front(); });
  if (problem.kinds.empty())
    text = "r2r";
  else if (is_halved(problem))
    text = weft::to_string(problem.kinds.back());
  else if (alike)
    text =
        problem.kinds.front() == Kind::none ? "transpose" : weft::to_string(problem.kinds.front());
  else
    for (const Kind kind : problem.kinds) text += (text.empty() ? "" : ",") + weft::to_string(kind);
  if (text == "c2c") text += problem.sign < 0 ? " forward" : " backward";
  for (std::size_t axis = 0; axis < problem.shape.size(); ++axis)
    text += (axis == 0 ? " " : "x") + std::to_string(problem.shape[axis]);
  if (problem.howmany != 1) text += " of " + std::to_string(problem.howmany);
  if (problem.input_block != 0) text += ", input block " + std::to_string(problem.input_block);
  if (problem.output_block != 0) text += ", output block " + std::to_string(problem.output_block);
  if (problem.flags & Flags::transposed_in) text += ", transposed in";
  if (problem.flags & Flags::transposed_out) text += ", transposed out";
  if (problem.flags & Flags::scrambled_in) text += ", scrambled in";
  if (problem.flags & Flags::scrambled_out) text += ", scrambled out";
  return text;
}

}  // namespace weft::fftw
