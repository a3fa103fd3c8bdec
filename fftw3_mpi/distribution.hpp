// How FFTW-MPI deals an array out to ranks, and how much memory it tells programs to allocate:
// the same answers as FFTW's, because programs mix them with formulas of their own.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "abi.hpp"

namespace weft::fftw {

int ranks_in(MPI_Comm communicator);
int rank_in(MPI_Comm communicator);

/// Throws an Error that names the argument unless lengths and `howmany` are at least 1 and no block
/// is negative.
void check_sizes(std::span<const Size> shape, Size howmany, std::initializer_list<Size> blocks);

/// An array cut along one axis into blocks of the same length, one per rank; the last block may be
/// shorter, and ranks behind it hold nothing.
struct Slabs {
  int axis = 0;    ///< 0, or 1 where transposed
  Size block = 0;  ///< 1 to the axis's length

  /// With FFTW's default, ceil(length / ranks), where `block` is 0.
  static Slabs of(std::span<const Size> shape, int axis, Size block, int ranks);

  /// How many ranks hold anything.
  Size blocks(std::span<const Size> shape) const;
  /// The first index that a rank holds; 0 where it holds nothing.
  Size start(std::span<const Size> shape, int rank) const;
  /// The lengths of a rank's part along all axes; 0 along all of them where it holds nothing.
  std::vector<Size> lengths(std::span<const Size> shape, int rank) const;
};

/// The numbers that a rank must have room for, `howmany` included: FFTW's answer, which is enough
/// for every algorithm of FFTW. At least two axes.
Size allocation(std::span<const Size> shape, Size howmany, const Slabs& input, const Slabs& output,
                int ranks, int rank);

/// One end of a transform of one axis.
struct AxisEnd {
  Slabs slabs;
  /// Where scrambled, more than 1: first come the indices with the remainder 0 by this number.
  Size classes = 1;
};

/// How FFTW-MPI deals out a transform of one axis, whose ends differ. The output of one sign is the
/// input of the other.
struct SingleAxis {
  AxisEnd input;
  AxisEnd output;
  Size allocation = 0;  ///< as above

  /// `flags`: those of the order. An Error where the sign is neither -1 nor 1.
  static SingleAxis of(Size length, Size howmany, int sign, unsigned flags, int ranks, int rank);
};

}  // namespace weft::fftw
