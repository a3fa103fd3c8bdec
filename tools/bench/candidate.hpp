// The interface of candidates, which bench measures: each transforms one distributed array per
// call, both Weft and its rivals. Header only, and it uses only plain data types of the library,
// because rivals are separate modules.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>
#include <weft/layout.hpp>
#include <weft/transform.hpp>

namespace weft::bench {

/// The transform to be measured, the same for every candidate. All of them run `forward`.
struct Problem {
  MPI_Comm communicator = MPI_COMM_NULL;
  std::vector<Kind> kinds;  ///< one per axis
  Shape input_shape;        ///< the global arrays; n/2+1 along the last axis on the complex side
  Shape output_shape;
  Precision precision = Precision::double_;
  bool real_input = false;
  bool real_output = false;
  bool transposed = false;  ///< the spectrum may have whatever layout is fastest for the candidate
  int threads = 1;          ///< per rank
  std::string device;       ///< see Options::device
  bool patient = true;      ///< rivals may spend minutes on planning

  bool real_to_real() const { return real_input && real_output; }
  bool complex_to_real() const { return !real_input && real_output; }
  /// The real array's shape, where one side is real.
  const Shape& physical_shape() const { return complex_to_real() ? output_shape : input_shape; }
  const Shape& spectral_shape() const { return complex_to_real() ? input_shape : output_shape; }

  int ranks() const {
    int count = 0;
    MPI_Comm_size(communicator, &count);
    return count;
  }
};

/// This rank's part of a global array in memory, with any box, order and padding.
struct Field {
  void* data = nullptr;
  Precision precision = Precision::double_;
  bool real = false;
  Box box;                 ///< the global indices held here; possibly none
  PerAxis<Index> strides;  ///< elements between neighbours along each axis
  std::shared_ptr<const IndexLists> indices = nullptr;  ///< null: the box holds them, see Array
};

/// All indices of an array. (Box::whole is library code, which a rival's module does not link.)
inline Box whole_box(const Shape& shape) {
  return {PerAxis<Index>::filled(shape.size(), 0), shape};
}

/// The whole input or output, before the local slab and the strides are set.
inline Field whole_field(const Problem& problem, void* data, bool is_output) {
  const Shape& shape = is_output ? problem.output_shape : problem.input_shape;
  return {data, problem.precision, is_output ? problem.real_output : problem.real_input,
          whole_box(shape), PerAxis<Index>::filled(shape.size(), 1)};
}

/// One way to compute the transform. Made, run and destroyed by all ranks together.
class Candidate {
 public:
  virtual ~Candidate() = default;
  /// The difference from its variants: "in place, FFTW_PATIENT".
  virtual std::string describe() const = 0;
  /// Where `run` reads and writes; the same memory if the transform is in place. The caller fills
  /// the input before the first of several consecutive runs; each `run` may destroy it.
  virtual Field input() = 0;
  virtual Field output() = 0;
  /// Called after the input was filled and before `run`.
  virtual void prepare() {}
  virtual void run() = 0;
  /// The number of transforms that one run computes.
  virtual int transforms() const { return 1; }
};

/// A library that Weft is measured against.
struct Rival {
  std::string version;  ///< of the library that is used at run time
  std::vector<std::unique_ptr<Candidate>> candidates;
};

/// The function that a rival's module exports as `extern "C" weft_bench_rival`: plans every variant
/// that may be the fastest. Throws `Error`, on all ranks, if it cannot compute the problem.
using MakeRival = void(const Problem& problem, Rival& rival);

}  // namespace weft::bench
