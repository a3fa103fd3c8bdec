// Computes while transforms are on their way: several fields are started, this rank works in pieces
// and lets the transforms progress between them, then waits.
//
//   mpiexec -n 4 own_work [POINTS [FIELDS]]
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <weft/weft.hpp>

namespace {

using Complex = std::complex<double>;

/// The other work of a code, here a sum that converges to the natural logarithm of 2.
class OwnWork {
 public:
  void piece() {
    for (int i = 0; i < 10000; ++i, ++terms_)
      sum_ += (terms_ % 2 == 0 ? 1.0 : -1.0) / static_cast<double>(terms_ + 1);
  }
  double error() const { return std::abs(sum_ - std::log(2.0)); }

 private:
  long terms_ = 0;
  double sum_ = 0;
};

/// The largest change of a field that went to its spectrum and back.
double overlap(weft::Index points, int fields) {
  weft::Plan plan(MPI_COMM_WORLD, {points, points, points}, weft::Kind::r2c,
                  weft::Options::parse("fields=" + std::to_string(fields)));
  std::vector<weft::Array<double>> in, back;
  std::vector<weft::Array<Complex>> spectra;
  for (int f = 0; f < fields; ++f) {
    in.push_back(plan.make_input<double>());
    back.push_back(plan.make_input<double>());
    spectra.push_back(plan.make_output<Complex>());
    in.back().fill([&](const weft::Point& at) {
      return std::sin(static_cast<double>(f + at[0] + 2 * at[1] + 3 * at[2]));
    });
  }

  OwnWork work;
  std::vector<weft::Handle> handles;
  for (int f = 0; f < fields; ++f) handles.push_back(plan.start_forward(in[f], spectra[f]));
  for (int piece = 0; piece < 100; ++piece) {
    work.piece();
    for (weft::Handle& handle : handles) handle.test();
  }
  for (weft::Handle& handle : handles) handle.wait();
  plan.backward(spectra, back);

  double worst = work.error() < 1e-5 ? 0 : 1;
  for (int f = 0; f < fields; ++f)
    for (std::size_t i = 0; i < in[f].span().size(); ++i)
      worst = std::max(worst, std::abs(in[f].span()[i] - back[f].span()[i]));
  return worst;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    double worst = overlap(argc > 1 ? std::atol(argv[1]) : 32, argc > 2 ? std::atoi(argv[2]) : 3);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) std::printf("largest error %.3e\n", worst);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "own_work: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
