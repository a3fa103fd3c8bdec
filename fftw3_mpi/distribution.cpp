// FFTW-MPI's blocks and sizes, from its manual (section "MPI Data Distribution") and its answers.
#include "distribution.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <weft/weft.hpp>

namespace weft::fftw {
namespace {

Size ceil_division(Size dividend, Size divisor) { return (dividend + divisor - 1) / divisor; }

Size product(const std::vector<Size>& lengths) {
  Size result = 1;
  for (const Size length : lengths) result *= length;
  return result;
}

/// How much a rank holds where FFTW gathers lines along `axis`: whole lines, dealt out in default
/// blocks over all other axes, `howmany` included, taken as one.
Size gathered_lines(std::span<const Size> shape, Size howmany, int axis, int ranks, int rank) {
  Size lines = howmany;
  for (std::size_t other = 0; other < shape.size(); ++other)
    if (static_cast<int>(other) != axis) lines *= shape[other];
  const Size block = ceil_division(lines, ranks);
  const Size mine = std::clamp<Size>(lines - block * rank, 0, block);
  return ceil_division(shape[static_cast<std::size_t>(axis)] * mine, howmany);
}

/// The lengths of the two axes that FFTW-MPI makes of one, n = points * modes; n and n where it
/// makes none. In natural order blocks of points are multiples of `points`, blocks of modes
/// multiples of `modes`. There are as many modes as ranks where all ranks then have points too;
/// else both lengths are near the root.
struct Units {
  Size points;
  Size modes;
};

Units units_of(Size length, int ranks) {
  Size modes = ranks;
  if (length % ranks != 0 || length / ranks < ranks) {
    auto root = static_cast<Size>(std::sqrt(static_cast<double>(length)));
    while (root * root > length) --root;
    while ((root + 1) * (root + 1) <= length) ++root;
    for (modes = length / root; length % modes != 0;) --modes;
  }
  if (modes == 1 || modes == length) return {length, length};
  return {length / modes, modes};
}

/// `unit`: of blocks in natural order.
AxisEnd end_of(Size length, Size unit, bool is_scrambled, int ranks) {
  if (!is_scrambled || unit == length) return {{0, unit * ceil_division(length / unit, ranks)}, 1};
  const Size class_length = length / unit;
  return {{0, class_length * ceil_division(unit, ranks)}, unit};
}

void require_at_least(Size least, Size value, const std::string& name) {
  if (value < least)
    throw Error(name + " is " + std::to_string(value) + "; valid is " + std::to_string(least) +
                " or more");
}

}  // namespace

int ranks_in(MPI_Comm communicator) {
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  return ranks;
}

int rank_in(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

void check_sizes(std::span<const Size> shape, Size howmany, std::initializer_list<Size> blocks) {
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    require_at_least(1, shape[axis], "n[" + std::to_string(axis) + "]");
  require_at_least(1, howmany, "howmany");
  for (const Size block : blocks) require_at_least(0, block, "a block");
}

Slabs Slabs::of(std::span<const Size> shape, int axis, Size block, int ranks) {
  const Size length = shape[static_cast<std::size_t>(axis)];
  return {axis, block == 0 ? ceil_division(length, ranks) : std::min(block, length)};
}

Size Slabs::blocks(std::span<const Size> shape) const {
  return ceil_division(shape[static_cast<std::size_t>(axis)], block);
}

Size Slabs::start(std::span<const Size> shape, int rank) const {
  return rank < blocks(shape) ? block * rank : 0;
}

std::vector<Size> Slabs::lengths(std::span<const Size> shape, int rank) const {
  if (rank >= blocks(shape)) return std::vector<Size>(shape.size(), 0);
  std::vector<Size> result(shape.begin(), shape.end());
  Size& cut = result[static_cast<std::size_t>(axis)];
  cut = std::min(block, cut - block * rank);
  return result;
}

Size allocation(std::span<const Size> shape, Size howmany, const Slabs& input, const Slabs& output,
                int ranks, int rank) {
  Size most = 1;
  if (input.blocks(shape) > 1 && output.blocks(shape) > 1) {
    if (input.axis == output.axis) {  // FFTW transposes in between
      const Slabs transposed = Slabs::of(shape, 1 - input.axis, 0, ranks);
      most = std::max(most, product(transposed.lengths(shape, rank)));
    }
    for (const int axis : {0, 1})
      most = std::max(most, gathered_lines(shape, howmany, axis, ranks, rank));
  }
  most = std::max(most, product(input.lengths(shape, rank)));
  most = std::max(most, product(output.lengths(shape, rank)));
  return most * howmany;
}

SingleAxis SingleAxis::of(Size length, Size howmany, int sign, unsigned flags, int ranks,
                          int rank) {
  constexpr unsigned orders = scrambled_in | scrambled_out | transposed_in | transposed_out;
  const std::vector<Size> shape{length};
  const auto [points, modes] = units_of(length, ranks);
  const bool is_whole = points == length;
  SingleAxis axis;
  Size most = 1;
  if (howmany >= ranks && !(flags & orders)) {  // FFTW gives each rank some of the fields
    axis.input.slabs = {0, is_whole ? length : ceil_division(length, ranks)};
    axis.output = axis.input;
    most = std::max(most, gathered_lines(shape, howmany, 0, ranks, rank));
  } else {
    if (sign != -1 && sign != 1)
      throw Error("the sign is " + std::to_string(sign) + "; valid are -1 and 1");
    const Size input_unit = sign < 0 ? points : modes;
    const Size output_unit = sign < 0 ? modes : points;
    const auto add = [&](AxisEnd& end, Size unit, bool is_scrambled) {
      end = end_of(length, unit, is_scrambled, ranks);
      // FFTW has scrambled order in between.
      if (!is_whole && !is_scrambled)
        most = std::max(most, end_of(length, unit, true, ranks).slabs.block);
    };
    add(axis.input, input_unit, flags & scrambled_in);
    add(axis.output, output_unit, flags & scrambled_out);
  }
  most = std::max(most, axis.input.slabs.lengths(shape, rank)[0]);
  most = std::max(most, axis.output.slabs.lengths(shape, rank)[0]);
  axis.allocation = most * howmany;
  return axis;
}

}  // namespace weft::fftw
