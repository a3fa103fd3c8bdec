// Column weights are applied once, at the end: until then each column of a block has sums of its
// own, which costs memory of a few lines per worker.
#include "view/block_sums.hpp"

#include <algorithm>

namespace weft {
namespace {

/// Rows are added in runs, each of which adds its square as well. The numbers of a plane wave may
/// cancel over a whole column, and the square of one sum would hide how large they are.
constexpr int runs_of_rows = 4;
/// Larger blocks have longer runs, so that sums stay in registers.
constexpr Index small_block = 1 << 15;
constexpr Index longest_run = 4;
/// The weight of a row that has no axis.
constexpr double unit_weight = 1;

}  // namespace

AxisWeights::AxisWeights(const std::vector<std::complex<double>>& values) {
  const bool real =
      std::ranges::all_of(values, [](const auto& value) { return value.imag() == 0; });
  for (const std::complex<double>& value : values) {
    real_.push_back(value.real());
    if (!real) imaginary_.push_back(value.imag());
  }
}

BlockSums::BlockSums(PointWeights weights, std::vector<SummedBlock> blocks, const Element& element,
                     int workers)
    : weights_(std::move(weights)),
      blocks_(std::move(blocks)),
      element_(element),
      workers_(static_cast<std::size_t>(workers)) {
  for (const SummedBlock& block : blocks_) {
    Piece piece;
    piece.box = block.box;
    piece.base = static_cast<int>(index_.pieces.size());
    index_.pieces.push_back(piece);
  }
  index_.make_index();
}

void BlockSums::set_columns(int columns) {
  columns_ = columns;
  complex_rows_ = false;
  for (int axis = 0; axis < weights_.size(); ++axis)
    complex_rows_ |= axis != columns_ && !weights_[axis]->is_real();
  for (Worker& worker : workers_) {
    worker.columns.resize(blocks_.size());
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      const Box& box = blocks_[block].box;
      const auto reals =
          box.empty() ? 0 : static_cast<std::size_t>(box.extent(columns_) * element_.components());
      worker.columns[block].volume = box.volume();
      worker.columns[block].real.resize(reals);
      worker.columns[block].squares.resize(reals);
      if (complex_rows_) worker.columns[block].imaginary.resize(reals);
    }
  }
}

void BlockSums::reset() {
  for (Worker& worker : workers_)
    for (Columns& columns : worker.columns) {
      std::ranges::fill(columns.real, 0.0);
      std::ranges::fill(columns.imaginary, 0.0);
      std::ranges::fill(columns.squares, 0.0);
    }
}

void BlockSums::add(int worker, const Box& part, const std::byte* data,
                    const PerAxis<Index>& strides) {
  const Piece whole{part, 0, strides};
  index_.for_each_in(part, [&](const Piece& block, const Box& found) {
    add_to(workers_[static_cast<std::size_t>(worker)], block.base, found,
           data + whole.offset_of(found.lower), strides);
  });
}

/// One plane of rows after the other; where columns are not contiguous, one column after the other.
void BlockSums::add_to(Worker& worker, int block, const Box& part, const std::byte* data,
                       const PerAxis<Index>& strides) {
  const int axes = part.axes();
  const Piece whole{part, 0, strides};
  const Index begin = blocks_[static_cast<std::size_t>(block)].box.lower[columns_];
  Columns& columns = worker.columns[static_cast<std::size_t>(block)];
  // Rows run along the longest other axis, since a tile may be one element wide along any axis.
  int rows = columns_;
  for (int axis = 0; axis < axes; ++axis)
    if (axis != columns_ && (rows == columns_ || part.extent(axis) > part.extent(rows)))
      rows = axis;
  const bool contiguous = strides[columns_] == element_.bytes();
  Box plane = part;
  const auto is_stepped = [&](int axis) { return axis == columns_ ? !contiguous : axis != rows; };
  for (int axis = 0; axis < axes; ++axis)
    if (is_stepped(axis)) plane.upper[axis] = plane.lower[axis] + 1;
  for (;;) {
    add_rows(columns, rows, (plane.lower[columns_] - begin) * element_.components(), plane,
             data + whole.offset_of(plane.lower), strides);
    int axis = axes - 1;
    for (; axis >= 0; --axis) {
      if (!is_stepped(axis)) continue;
      if (plane.upper[axis] < part.upper[axis]) {
        ++plane.lower[axis], ++plane.upper[axis];
        break;
      }
      plane.lower[axis] = part.lower[axis];
      plane.upper[axis] = part.lower[axis] + 1;
    }
    if (axis < 0) return;
  }
}

void BlockSums::add_rows(Columns& columns, int row_axis, Index first, const Box& part,
                         const std::byte* data, const PerAxis<Index>& strides) {
  WeightedRows weighted{.data = data,
                        .rows = 1,
                        .reals = part.extent(columns_) * element_.components(),
                        .real = &unit_weight};
  for (int axis = 0; axis < part.axes(); ++axis)
    if (axis != columns_ && axis != row_axis)
      weighted.factor *= weights_[axis]->at(part.lower[axis]);
  if (row_axis != columns_) {
    weighted.stride = strides[row_axis];
    weighted.rows = part.extent(row_axis);
    weighted.real = weights_[row_axis]->real_from(part.lower[row_axis]);
    weighted.imaginary = weights_[row_axis]->imaginary_from(part.lower[row_axis]);
  }
  add_in_runs(weighted, columns, first);
}

void BlockSums::add_in_runs(WeightedRows rows, Columns& columns, Index first) const {
  const Index all = rows.rows;
  const Index shortest = columns.volume < small_block ? 1 : longest_run;
  const Index run = std::max((all + runs_of_rows - 1) / runs_of_rows, shortest);
  const ColumnSums sums{columns.real.data() + first,
                        complex_rows_ ? columns.imaginary.data() + first : nullptr,
                        columns.squares.data() + first};
  for (Index begin = 0; begin < all; begin += run) {
    rows.rows = std::min(run, all - begin);
    add_weighted_rows(rows, element_.precision, sums);
    rows.data += rows.rows * rows.stride;
    rows.real += rows.rows;
    if (rows.imaginary) rows.imaginary += rows.rows;
  }
}

BlockSums::Sum BlockSums::of_block(std::size_t block) const {
  Sum sum;
  const Box& box = blocks_[block].box;
  const Index count = box.empty() ? 0 : box.extent(columns_);
  const auto components = static_cast<std::size_t>(element_.components());
  const auto at = [&](const std::vector<double>& sums, std::size_t place) -> std::complex<double> {
    return {sums[place], components == 2 ? sums[place + 1] : 0.0};
  };
  for (Index c = 0; c < count; ++c) {
    const std::complex<double> weight = weights_[columns_]->at(box.lower[columns_] + c);
    const std::size_t place = static_cast<std::size_t>(c) * components;
    std::complex<double> column = 0;
    double square = 0;
    for (const Worker& worker : workers_) {
      const Columns& sums = worker.columns[block];
      column += at(sums.real, place);
      if (complex_rows_) column += std::complex<double>(0, 1) * at(sums.imaginary, place);
      const std::complex<double> squares = at(sums.squares, place);
      square += squares.real() + squares.imag();
    }
    sum.value += column * weight;
    sum.square += square * std::norm(weight);
  }
  return sum;
}

std::vector<BlockSums::Sum> BlockSums::by_block() const {
  std::vector<Sum> sums;
  for (std::size_t block = 0; block < blocks_.size(); ++block) sums.push_back(of_block(block));
  return sums;
}

BlockSums::Sum BlockSums::total(const std::vector<Sum>& sums) {
  Sum total;
  for (const Sum& sum : sums) {
    total.value += sum.value;
    total.square += sum.square;
  }
  return total;
}

}  // namespace weft
