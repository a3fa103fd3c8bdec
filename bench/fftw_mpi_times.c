/* Times FFTW-MPI's forward transform, as a program that knows nothing of Weft would run it: median
 * milliseconds of the slowest rank. Three axes have transposed output; one axis, of complex
 * numbers, is in natural order. fftw_mpi_times N0[xN1xN2] c2c|r2c in|out REPEATS */
#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

struct Arrays {
  fftw_complex *in, *out;
  ptrdiff_t size; /* complex numbers in each */
};

static struct Arrays allocate(ptrdiff_t size, int is_in_place) {
  struct Arrays arrays = {fftw_alloc_complex((size_t)size), NULL, size};
  arrays.out = is_in_place ? arrays.in : fftw_alloc_complex((size_t)size);
  return arrays;
}

static fftw_plan plan_line(ptrdiff_t length, int is_in_place, struct Arrays* arrays) {
  ptrdiff_t points, start, modes, mode_start;
  *arrays = allocate(fftw_mpi_local_size_1d(length, MPI_COMM_WORLD, FFTW_FORWARD, 0, &points,
                                            &start, &modes, &mode_start),
                     is_in_place);
  return fftw_mpi_plan_dft_1d(length, arrays->in, arrays->out, MPI_COMM_WORLD, FFTW_FORWARD,
                              FFTW_MEASURE);
}

static fftw_plan plan_cube(const long n[3], int is_real, int is_in_place, struct Arrays* arrays) {
  const unsigned flags = FFTW_MEASURE | FFTW_MPI_TRANSPOSED_OUT;
  ptrdiff_t rows, start, columns, column_start;
  *arrays = allocate(
      fftw_mpi_local_size_3d_transposed(n[0], n[1], is_real ? n[2] / 2 + 1 : n[2], MPI_COMM_WORLD,
                                        &rows, &start, &columns, &column_start),
      is_in_place);
  return is_real ? fftw_mpi_plan_dft_r2c_3d(n[0], n[1], n[2], (double*)arrays->in, arrays->out,
                                            MPI_COMM_WORLD, flags)
                 : fftw_mpi_plan_dft_3d(n[0], n[1], n[2], arrays->in, arrays->out, MPI_COMM_WORLD,
                                        FFTW_FORWARD, flags);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  long n[3];
  const int axes = argc == 5 ? sscanf(argv[1], "%ldx%ldx%ld", &n[0], &n[1], &n[2]) : 0;
  const int is_real = axes > 0 && strcmp(argv[2], "r2c") == 0;
  if (axes != 3 && (axes != 1 || is_real)) MPI_Abort(MPI_COMM_WORLD, 2);
  const int is_in_place = strcmp(argv[3], "in") == 0;
  const int repeats = atoi(argv[4]);
  struct Arrays arrays;
  const fftw_plan plan = axes == 1 ? plan_line(n[0], is_in_place, &arrays)
                                   : plan_cube(n, is_real, is_in_place, &arrays);

  double* const times = malloc((size_t)repeats * sizeof(double));
  for (int i = -2; i < repeats; ++i) { /* two to warm up */
    /* In place, results become too large after some tens of transforms. */
    for (ptrdiff_t j = 0; j < 2 * arrays.size && (i <= 0 || is_in_place); ++j)
      ((double*)arrays.in)[j] = (double)(j * 7919 % 1000) / 1000;
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
  if (arrays.out != arrays.in) fftw_free(arrays.out);
  fftw_free(arrays.in);
  MPI_Finalize();
  return 0;
}
