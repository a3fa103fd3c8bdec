/* A user's program in C with the installed library: a wave has one mode, and comes back. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <weft/weft.h>

int main(int argc, char** argv) {
  const int64_t shape[2] = {6, 16};
  const double pi = 3.14159265358979323846;
  double wave[96], spectrum[2 * 54], modes = 0, all = 0, error = 0;
  weft_plan plan;
  weft_part in, out;
  int64_t i;
  MPI_Init(&argc, &argv);
  if (weft_plan_create(MPI_COMM_WORLD, 2, shape, "kind=r2c norm=forward", &plan) != WEFT_SUCCESS ||
      weft_plan_part(plan, WEFT_INPUT, &in) != WEFT_SUCCESS ||
      weft_plan_part(plan, WEFT_OUTPUT, &out) != WEFT_SUCCESS) {
    fprintf(stderr, "%s\n", weft_error());
    return 1;
  }
  /* Slabs: rows of 16 are whole. */
  for (i = 0; i < in.elements; ++i) wave[i] = cos(3 * 2 * pi * (double)(i % 16) / 16);
  if (weft_forward(plan, wave, spectrum) != WEFT_SUCCESS) return 1;
  for (i = 0; i < out.elements; ++i) modes += hypot(spectrum[2 * i], spectrum[2 * i + 1]);
  MPI_Allreduce(&modes, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  memset(wave, 255, sizeof wave);
  if (weft_backward(plan, spectrum, wave) != WEFT_SUCCESS) return 1;
  for (i = 0; i < in.elements; ++i)
    if (!(fabs(wave[i] - cos(3 * 2 * pi * (double)(i % 16) / 16)) < 1e-14)) error = 1;
  weft_plan_drop(&plan);
  MPI_Finalize();
  if (strchr(weft_version(), '.') == NULL) return 2;
  return error > 0 || fabs(all - 0.5) > 1e-13;
}
