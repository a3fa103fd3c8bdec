/* Solves laplace(u) = f in a periodic box, in C. The source is the Laplacian of a known u, so the
 * error of the solution is printed.
 *
 *   mpiexec -n 4 poisson [POINTS] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

static const double pi = 3.14159265358979323846;

/* Every call says whether it succeeded, and weft_error() what was wrong. */
static void require(weft_status status) {
  if (status == WEFT_SUCCESS) return;
  fprintf(stderr, "poisson: %s\n", weft_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static double solution(double x, double y, double z) { return sin(x) * exp(cos(y)) * cos(2 * z); }

static double source(double x, double y, double z) {
  return (sin(y) * sin(y) - cos(y) - 5) * solution(x, y, z);
}

/* Sets field = factor * field + value(x, y, z) at the points that this rank holds. */
static void add(const weft_part* part, double step, double* field, double factor,
                double (*value)(double, double, double)) {
  const int64_t *const from = part->box.lower, *const to = part->box.upper;
  int64_t i, j, k;
  for (i = from[0]; i < to[0]; ++i)
    for (j = from[1]; j < to[1]; ++j)
      for (k = from[2]; k < to[2]; ++k) {
        double* const u = field + (i - from[0]) * part->stride[0] +
                          (j - from[1]) * part->stride[1] + (k - from[2]) * part->stride[2];
        *u = factor * *u + value(step * (double)i, step * (double)j, step * (double)k);
      }
}

/* The root mean square error of the solution. */
static double solve(int64_t points) {
  const int64_t shape[3] = {points, points, points};
  const double lengths[3] = {2 * pi, 2 * pi, 2 * pi};
  const double step = 2 * pi / (double)points;
  weft_plan plan;
  weft_part part;
  weft_array array;
  const void* in[1];
  void* out[1];
  double error = 0;
  require(weft_plan_create(MPI_COMM_WORLD, 3, shape, "kind=r2c", &plan));
  require(weft_plan_part(plan, WEFT_INPUT, &part));
  require(weft_array_make(plan, WEFT_INPUT, &array));
  in[0] = out[0] = weft_array_data(array);
  add(&part, step, out[0], 0, source);
  require(weft_apply_operator(plan, "inverse_laplacian", lengths, 1, in, 1, out));
  add(&part, step, out[0], -1, solution);
  require(weft_mean_square(plan, WEFT_INPUT, in[0], &error));
  weft_array_drop(&array);
  weft_plan_drop(&plan);
  return sqrt(error);
}

int main(int argc, char** argv) {
  int rank;
  double error;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  error = solve(argc > 1 ? atol(argv[1]) : 32);
  if (rank == 0) printf("root mean square error %.3e\n", error);
  MPI_Finalize();
  return 0;
}
