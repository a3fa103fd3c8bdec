// Weighted sums of the elements that a pass reads and writes, separate for each peer. Equal sums on
// both sides certify an exchange or a pass. The sums are taken while a tile is in the cache.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "view/view.hpp"
#include "view/weighted_rows.hpp"

namespace weft {

/// The weights of one axis, by kept index, with real and imaginary parts apart, as sums of rows
/// need them.
class AxisWeights {
 public:
  explicit AxisWeights(const std::vector<std::complex<double>>& values);

  /// Whether no weight has an imaginary part.
  bool is_real() const { return imaginary_.empty(); }
  std::complex<double> at(Index index) const {
    const auto place = static_cast<std::size_t>(index);
    return {real_[place], is_real() ? 0 : imaginary_[place]};
  }
  const double* real_from(Index first) const { return real_.data() + first; }
  /// Null if all weights are real.
  const double* imaginary_from(Index first) const {
    return is_real() ? nullptr : imaginary_.data() + first;
  }

 private:
  std::vector<double> real_;
  std::vector<double> imaginary_;
};

/// An element's weight is the product over its axes.
using PointWeights = PerAxis<std::shared_ptr<const AxisWeights>>;

/// A part of the array that a pass reads or writes, and the rank at the other end.
struct SummedBlock {
  Box box;
  int peer = -1;  ///< -1: the caller's array
};

class BlockSums {
 public:
  BlockSums(PointWeights weights, std::vector<SummedBlock> blocks, const Element& element,
            int workers);

  /// Called before `add`: sets the axis along which the added elements are contiguous, if there is
  /// one.
  void set_columns(int columns);
  void reset();
  /// Adds elements in their native form; strides are in bytes.
  void add(int worker, const Box& part, const std::byte* data, const PerAxis<Index>& strides);

  struct Sum {
    std::complex<double> value;
    double square = 0;  ///< approximately the sum of the squares of the added elements
  };
  const std::vector<SummedBlock>& blocks() const { return blocks_; }
  /// In the order of `blocks`.
  std::vector<Sum> by_block() const;
  static Sum total(const std::vector<Sum>& sums);

 private:
  Sum of_block(std::size_t block) const;
  /// The sums of one worker and block, by column.
  struct Columns {
    std::vector<double> real;
    std::vector<double> imaginary;
    std::vector<double> squares;
    Index volume = 0;  // of the block
  };
  struct Worker {
    std::vector<Columns> columns;  // by block
  };
  void add_to(Worker& worker, int block, const Box& part, const std::byte* data,
              const PerAxis<Index>& strides);
  void add_rows(Columns& columns, int row_axis, Index first, const Box& part, const std::byte* data,
                const PerAxis<Index>& strides);
  void add_in_runs(WeightedRows rows, Columns& columns, Index first) const;

  PointWeights weights_;
  std::vector<SummedBlock> blocks_;
  View index_;  // the same blocks, to find the blocks that a part touches
  Element element_;
  int columns_ = 0;
  bool complex_rows_ = false;
  std::vector<Worker> workers_;
};

/// The sums of one pass.
struct PassSums {
  std::unique_ptr<BlockSums> source;
  std::unique_ptr<BlockSums> target;
  double factor = 1;        ///< of the pass
  double scale = 1;         ///< of the call, besides the factor
  bool is_scaled = false;   ///< the target's sums are taken after both factors
  bool comparable = false;  ///< both sides must give the same number
  bool real_only = false;   ///< only the real part of that number

  void reset(double call_scale) {
    source->reset();
    target->reset();
    scale = call_scale;
  }
};

/// The sums to which a sweep adds the elements that it reads and writes; null if not needed.
struct SweepSums {
  BlockSums* source = nullptr;
  BlockSums* target = nullptr;
  int worker = 0;
};

}  // namespace weft
