// A user's program with the installed library: it transforms a wave and back and checks both. It
// also checks that the library exports the templates instantiated in it and has its headers'
// version.
#include <mpi.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <string>
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
    // A Gaussian of width 0 changes nothing.
    const weft::SpectralOperators operators(plan.transform(), {1, 1, 1});
    plan.apply<std::complex<double>>(wave.data(), wave.data(),
                                     operators.gaussian<std::complex<double>>(0));
    wave.for_each([&](const weft::Point& x, double element) {
      error = std::max(error, std::abs(element - value(x)));
    });
  }
  MPI_Finalize();
  const std::string headers = std::to_string(WEFT_VERSION_MAJOR) + "." +
                              std::to_string(WEFT_VERSION_MINOR) + "." +
                              std::to_string(WEFT_VERSION_PATCH);
  if (weft::version() != headers) return 2;
  return error < 1e-10 ? 0 : 1;
}
