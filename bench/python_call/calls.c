/* The least time of one forward from C, in microseconds, for the shapes in calls.py; one rank. */
#include <mpi.h>
#include <stdio.h>
#include <weft/weft.h>

static double least(const int64_t n, int axes, int repeats) {
  const int64_t shape[3] = {n, n, n};
  double best = 1e9;
  weft_plan plan;
  weft_array in, out;
  if (weft_plan_create(MPI_COMM_WORLD, axes, shape, "kind=c2c", &plan) != WEFT_SUCCESS) {
    fprintf(stderr, "%s\n", weft_error());
    return -1;
  }
  weft_array_own(plan, WEFT_INPUT, &in);
  weft_array_own(plan, WEFT_OUTPUT, &out);
  for (int64_t i = 0; i < 2 * (axes == 1 ? n : n * n * n); ++i) /* real and imaginary parts */
    ((double*)weft_array_data(in))[i] = 1;
  for (int batch = 0; batch < 200; ++batch) {
    const double begin = MPI_Wtime();
    for (int i = 0; i < repeats; ++i) weft_forward(plan, weft_array_data(in), weft_array_data(out));
    const double seconds = (MPI_Wtime() - begin) / repeats;
    best = seconds < best ? seconds : best;
  }
  weft_array_drop(&in);
  weft_array_drop(&out);
  weft_plan_close(&plan);
  return 1e6 * best;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  printf("%f %f\n", least(1, 1, 200), least(8, 3, 50));
  MPI_Finalize();
  return 0;
}
