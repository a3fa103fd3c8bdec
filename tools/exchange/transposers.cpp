// Other libraries are modules loaded at run time, for the same reason as bench's rivals.
#include "exchange/transposers.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "bench/modules.hpp"
#include "ranks.hpp"

namespace weft::bench {
namespace {

const std::vector<Module>& baselines() {
  static const std::vector<Module> all = {
      {"fftw-mpi", "fftw-mpi-transpose", "FFTW-MPI (libfftw3_mpi)"},
      {"pdgemr2d", "scalapack", "ScaLAPACK (libscalapack)"},
      {"pdtran", "scalapack", "ScaLAPACK (libscalapack)"},
  };
  return all;
}

Plan plan_of(const Matrix& matrix, const Options& options) {
  Shape shape{matrix.side, matrix.side};
  Order columns{1, 0};
  if (matrix.width > 1) shape.push_back(matrix.width), columns.push_back(2);
  return Plan(matrix.communicator, Transform(shape, std::vector<Kind>(columns.size(), Kind::none)),
              Layout::slabs(shape, matrix.ranks, 0),
              Layout::slabs(shape, matrix.ranks, 1).ordered(columns), options);
}

/// A different value at every place: whole numbers, exact up to 2^53.
double entry(Index row, Index column, Index side) {
  return static_cast<double>(row * side + column);
}

Index first_line(const Matrix& matrix) {
  return command::rank_in(matrix.communicator) * matrix.lines();
}

void fill(const Matrix& matrix) {
  double* place = matrix.in;
  const Index first = first_line(matrix);
  for (Index row = first; row < first + matrix.lines(); ++row)
    for (Index column = 0; column < matrix.side; ++column)
      place = std::fill_n(place, matrix.width, entry(row, column, matrix.side));
  std::fill_n(matrix.out, matrix.size(), -1.0);
}

/// True if this rank has the right columns.
bool is_right(const Matrix& matrix, bool keeps_rows) {
  const Index first = first_line(matrix);
  for (Index line = 0; line < matrix.lines(); ++line)
    for (Index row = 0; row < matrix.side; ++row) {
      const Index place = keeps_rows ? row * matrix.lines() + line : line * matrix.side + row;
      const double expected = entry(row, first + line, matrix.side);
      const double* const element = matrix.out + place * matrix.width;
      if (std::count(element, element + matrix.width, expected) != matrix.width) return false;
    }
  return true;
}

}  // namespace

WeftTransposer::WeftTransposer(Matrix& matrix, const Options& options)
    : plan_(plan_of(matrix, options)) {
  if (options.arrays == Arrays::plan) {
    matrix.in = plan_.input<double>().data();
    matrix.out = plan_.output<double>().data();
  }
  in_ = matrix.in;
  out_ = matrix.out;
}

void PlainTransposer::run() {
  const auto count = static_cast<int>(matrix_.width);
  MPI_Alltoall(matrix_.in, count, MPI_DOUBLE, matrix_.out, count, MPI_DOUBLE, matrix_.communicator);
}

std::vector<std::string> baseline_names() { return names_of(baselines()); }

bool has_baseline(const std::string& name) { return find_module(baselines(), name).is_built(); }

std::unique_ptr<Transposer> make_baseline(const std::string& name, const Matrix& matrix) {
  MakeTransposer* make = nullptr;
  command::agree_on(matrix.communicator, [&] {
    make = reinterpret_cast<MakeTransposer*>(
        find_module(baselines(), name).open("weft_bench_transposer"));
  });
  std::unique_ptr<Transposer> made;
  make(name, matrix, made);
  return made;
}

void check_transposer(const std::string& name, const Matrix& matrix, Transposer& transposer) {
  fill(matrix);
  transposer.run();
  command::agree_on(matrix.communicator, [&] {
    if (!is_right(matrix, transposer.keeps_rows()))
      throw Error(fmt::format("{}: the exchange is wrong; please report this", name));
  });
}

}  // namespace weft::bench
