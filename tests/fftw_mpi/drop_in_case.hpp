// A transform that a program asks FFTW-MPI for, its arrays on all ranks, and its true result from
// FFTW in one process. Each test program is of one precision.
#pragma once

#include <fftw3-mpi.h>
#include <mpi.h>

#include <random>
#include <string>
#include <vector>

#ifdef WEFT_FFTW_SINGLE
#define FFTW(name) fftwf_##name
#else
#define FFTW(name) fftw_##name
#endif

namespace weft::test {

#ifdef WEFT_FFTW_SINGLE
using Real = float;
#else
using Real = double;
#endif

enum class Asked { c2c, r2c, c2r, r2r, transpose };

/// One end of a transform: the whole array, and how FFTW-MPI deals it out.
struct End {
  std::vector<std::ptrdiff_t> shape;  ///< without `howmany`, without padding
  std::ptrdiff_t block = 0;
  std::size_t cut_axis = 0;    ///< 0 or 1
  bool is_transposed = false;  ///< axis 1 is slowest in memory
  bool has_padded_rows = false;
  int reals = 1;  ///< at each point: howmany, times 2 for complex numbers

  /// Numbers of the whole array.
  std::ptrdiff_t size() const;
  /// This rank's part, in reals, gaps included.
  std::ptrdiff_t local_size(int ranks, int rank) const;
  /// This rank's block of the axis that is cut.
  std::ptrdiff_t rows(int ranks, int rank) const;
  /// For each real number of this rank: where it lies in the whole array, and where in memory.
  struct Place {
    std::ptrdiff_t global;
    std::ptrdiff_t local;
  };
  std::vector<Place> places(int ranks, int rank) const;

 private:
  std::ptrdiff_t rows_before(int ranks, int rank) const;
};

struct DropInCase {
  Asked asked = Asked::c2c;
  int sign = FFTW_FORWARD;
  std::vector<std::ptrdiff_t> shape;
  std::vector<FFTW(r2r_kind)> kinds;  ///< of r2r
  std::ptrdiff_t howmany = 1;
  std::ptrdiff_t input_block = 0;
  std::ptrdiff_t output_block = 0;
  unsigned flags = FFTW_ESTIMATE;
  bool in_place = false;

  /// For this number of ranks.
  static DropInCase random(std::mt19937& generator, int ranks);

  End input() const;
  End output() const;
  /// The lengths that programs give to local_size: n/2+1 along the last axis of r2c and c2r.
  std::vector<std::ptrdiff_t> complex_shape() const;
  /// Real numbers per element of what local_size counts.
  int reals_per_element() const;
  /// A whole array that the transform may be given, and the true result.
  std::vector<Real> random_input(std::mt19937& generator) const;
  std::vector<Real> truth(std::vector<Real> input) const;
  FFTW(plan) plan(Real* in, Real* out, MPI_Comm communicator) const;
  std::string name() const;
};

}  // namespace weft::test
