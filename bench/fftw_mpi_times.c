/* Times FFTW-MPI's forward transform with transposed output, as a program that knows nothing of
 * Weft would run it: median milliseconds of the slowest rank. fftw_mpi_times N0 N1 N2 c2c|r2c
 * in|out REPEATS */
#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  if (argc != 7) MPI_Abort(MPI_COMM_WORLD, 2);
  const ptrdiff_t n0 = atol(argv[1]), n1 = atol(argv[2]), n2 = atol(argv[3]);
  const int is_real = strcmp(argv[4], "r2c") == 0, is_in_place = strcmp(argv[5], "in") == 0;
  const int repeats = atoi(argv[6]);

  ptrdiff_t rows, start, columns, column_start;
  const ptrdiff_t size = fftw_mpi_local_size_3d_transposed(
      n0, n1, is_real ? n2 / 2 + 1 : n2, MPI_COMM_WORLD, &rows, &start, &columns, &column_start);
  fftw_complex* const in = fftw_alloc_complex((size_t)size);
  fftw_complex* const out = is_in_place ? in : fftw_alloc_complex((size_t)size);
  const unsigned flags = FFTW_MEASURE | FFTW_MPI_TRANSPOSED_OUT;
  const fftw_plan plan =
      is_real ? fftw_mpi_plan_dft_r2c_3d(n0, n1, n2, (double*)in, out, MPI_COMM_WORLD, flags)
              : fftw_mpi_plan_dft_3d(n0, n1, n2, in, out, MPI_COMM_WORLD, FFTW_FORWARD, flags);

  double* const times = malloc((size_t)repeats * sizeof(double));
  for (int i = -2; i < repeats; ++i) { /* two to warm up */
    /* In place, results become too large after some tens of transforms. */
    for (ptrdiff_t j = 0; j < 2 * size && (i <= 0 || is_in_place); ++j)
      ((double*)in)[j] = (double)(j * 7919 % 1000) / 1000;
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = -MPI_Wtime();
    fftw_execute(plan);
    seconds += MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (i >= 0) times[i] = seconds;
  }
  qsort(times, (size_t)repeats, sizeof(double), compare);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("%.6f\n", 1e3 * times[repeats / 2]);

  free(times);
  fftw_destroy_plan(plan);
  if (out != in) fftw_free(out);
  fftw_free(in);
  MPI_Finalize();
  return 0;
}
