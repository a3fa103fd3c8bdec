/* A program in C99 that knows FFTW-MPI only: the drop-in is preloaded, or linked. Transforms a wave
 * there and back, in place with padded rows; exits with 1 where it is not the same. */
#include <fftw3-mpi.h>
#include <math.h>
#include <stddef.h>

static double value(ptrdiff_t point) { return sin(0.1 * (double)point); }

int main(int argc, char** argv) {
  const ptrdiff_t n0 = 18, n1 = 12, n2 = 10, row = 2 * (n2 / 2 + 1);
  ptrdiff_t local_n0, start, line, k;
  double error = 0;
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  const ptrdiff_t size =
      fftw_mpi_local_size_3d(n0, n1, n2 / 2 + 1, MPI_COMM_WORLD, &local_n0, &start);
  double* const wave = fftw_alloc_real((size_t)(2 * size));
  fftw_complex* const spectrum = (fftw_complex*)wave;
  const fftw_plan there =
      fftw_mpi_plan_dft_r2c_3d(n0, n1, n2, wave, spectrum, MPI_COMM_WORLD, FFTW_ESTIMATE);
  const fftw_plan back =
      fftw_mpi_plan_dft_c2r_3d(n0, n1, n2, spectrum, wave, MPI_COMM_WORLD, FFTW_ESTIMATE);
  const ptrdiff_t first = start * n1 * n2;
  for (line = 0; line < local_n0 * n1; ++line)
    for (k = 0; k < n2; ++k) wave[line * row + k] = value(first + line * n2 + k);
  fftw_execute(there);
  fftw_execute(back);
  for (line = 0; line < local_n0 * n1; ++line)
    for (k = 0; k < n2; ++k)
      error = fmax(error, fabs(wave[line * row + k] / (double)(n0 * n1 * n2) -
                               value(first + line * n2 + k)));
  fftw_destroy_plan(there);
  fftw_destroy_plan(back);
  fftw_free(wave);
  MPI_Finalize();
  return error < 1e-12 ? 0 : 1;
}
