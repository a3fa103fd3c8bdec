// A program that knows FFTW-MPI only, in C as far as the compiler lets it: the drop-in is
// preloaded. Transforms a wave there and back, in place with padded rows; exits with 1 where it is
// not the same.
#include <fftw3-mpi.h>

#include <cmath>
#include <cstddef>

int main(int argc, char** argv) {
  const std::ptrdiff_t n0 = 18;
  const std::ptrdiff_t n1 = 12;
  const std::ptrdiff_t n2 = 10;
  const std::ptrdiff_t row = 2 * (n2 / 2 + 1);
  std::ptrdiff_t local_n0 = 0;
  std::ptrdiff_t start = 0;
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  const std::ptrdiff_t size =
      fftw_mpi_local_size_3d(n0, n1, n2 / 2 + 1, MPI_COMM_WORLD, &local_n0, &start);
  double* const wave = fftw_alloc_real(static_cast<std::size_t>(2 * size));
  fftw_complex* const spectrum = reinterpret_cast<fftw_complex*>(wave);
  fftw_plan there =
      fftw_mpi_plan_dft_r2c_3d(n0, n1, n2, wave, spectrum, MPI_COMM_WORLD, FFTW_ESTIMATE);
  fftw_plan back =
      fftw_mpi_plan_dft_c2r_3d(n0, n1, n2, spectrum, wave, MPI_COMM_WORLD, FFTW_ESTIMATE);
  const auto value = [&](std::ptrdiff_t i) {
    return std::sin(0.1 * static_cast<double>(i + start));
  };
  for (std::ptrdiff_t line = 0; line < local_n0 * n1; ++line)
    for (std::ptrdiff_t k = 0; k < n2; ++k) wave[line * row + k] = value(line * n2 + k);
  fftw_execute(there);
  fftw_execute(back);
  double error = 0;
  for (std::ptrdiff_t line = 0; line < local_n0 * n1; ++line)
    for (std::ptrdiff_t k = 0; k < n2; ++k)
      error = std::fmax(error, std::fabs(wave[line * row + k] / static_cast<double>(n0 * n1 * n2) -
                                         value(line * n2 + k)));
  fftw_destroy_plan(there);
  fftw_destroy_plan(back);
  fftw_free(wave);
  MPI_Finalize();
  return error < 1e-12 ? 0 : 1;
}
