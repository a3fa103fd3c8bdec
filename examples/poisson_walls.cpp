// Solves laplace(u) = f in a channel: periodic in x and y, walls without gradient (Neumann) in z.
// The source is the Laplacian of a known u, so the error of the solution is printed.
//
//   mpiexec -n 4 poisson_walls [POINTS]
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <weft/weft.hpp>

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

constexpr double length = 2 * pi, height = 1.5;

/// u = sin(x) exp(cos(2 y)) cos(pi z / height), and its Laplacian.
double solution(double x, double y, double z) {
  return std::sin(x) * std::exp(std::cos(2 * y)) * std::cos(pi * z / height);
}
double source(double x, double y, double z) {
  const double in_y = 4 * std::sin(2 * y) * std::sin(2 * y) - 4 * std::cos(2 * y);
  return (in_y - 1 - pi * pi / (height * height)) * solution(x, y, z);
}

double solve(weft::Index points) {
  // The last axis is halved; a cosine transform of type II has its points between the walls.
  const weft::Transform transform({points, points, points},
                                  {weft::Kind::c2c, weft::Kind::dct2, weft::Kind::r2c});
  weft::Plan plan(MPI_COMM_WORLD, transform);
  const auto at = [&](const weft::Point& point, auto function) {
    const auto n = static_cast<double>(points);
    return function(length * static_cast<double>(point[0]) / n,
                    length * static_cast<double>(point[2]) / n,
                    height * (static_cast<double>(point[1]) + 0.5) / n);
  };
  auto field = plan.make_input<double>();
  field.fill([&](const weft::Point& point) { return at(point, source); });

  const weft::SpectralOperators operators(transform, {length, height, length});
  plan.apply<Complex>(field, field, operators.inverse_laplacian<Complex>());

  field.for_each([&](const weft::Point& point, double& u) { u -= at(point, solution); });
  return std::sqrt(mean_square(plan, weft::Side::input, field));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    const double error = solve(argc > 1 ? std::atol(argv[1]) : 48);
    if (rank == 0) std::printf("root mean square error %.3e\n", error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "poisson_walls: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
