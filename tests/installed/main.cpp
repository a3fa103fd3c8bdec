// What a user of the installed library writes: transform a wave and back, and check both.
#include <mpi.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 0;
  {
    weft::Plan plan(MPI_COMM_WORLD, {16, 12, 10}, weft::Kind::r2c);
    auto wave = plan.input<double>();
    auto spectrum = plan.output<std::complex<double>>();
    const auto value = [](const weft::Point& x) {
      return std::cos(2 * std::numbers::pi * (3.0 * x[0] / 16 + 2.0 * x[2] / 10));
    };
    wave.fill(value);
    plan.forward(wave, spectrum);
    // The wave is one mode, (3, 0, 2); its mirror image is not kept.
    spectrum.for_each([&](const weft::Point& k, const std::complex<double>& mode) {
      error = std::max(error, std::abs(mode - (k == weft::Point{3, 0, 2} ? 960.0 : 0.0)));
    });
    plan.backward(spectrum, wave);
    wave.for_each([&](const weft::Point& x, double element) {
      error = std::max(error, std::abs(element - value(x)));
    });
  }
  MPI_Finalize();
  return error < 1e-10 ? 0 : 1;
}
