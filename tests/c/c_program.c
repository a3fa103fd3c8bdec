/* A program in strict C99 that uses all of weft.h, as C programmers do, and checks what comes
 * out: a wave has one mode. It ends with 0 where everything is right, on any number of ranks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

static const double pi = 3.14159265358979323846;
static const int64_t shape[3] = {12, 10, 8};
static int mistakes = 0;

static void check(int right, const char* what) {
  if (right) return;
  fprintf(stderr, "c_program: %s: %s\n", what, weft_error());
  ++mistakes;
}
#define CHECK(condition) check((condition), #condition)
#define SUCCEED(call) check((call) == WEFT_SUCCESS, #call)

static double wave(const int64_t at[3]) {
  return cos(2 * pi * (3.0 * (double)at[0] / 12 + 2.0 * (double)at[2] / 8));
}

/* Visits all elements of a part: the index along each axis, and the place in memory. */
static int next(const weft_part* part, int64_t at[3]) {
  int axis;
  for (axis = 2; axis >= 0; --axis) {
    if (++at[axis] < part->box.upper[axis]) return 1;
    at[axis] = part->box.lower[axis];
  }
  return 0;
}
static int64_t place(const weft_part* part, const int64_t at[3]) {
  int64_t result = 0;
  int axis;
  for (axis = 0; axis < 3; ++axis)
    result += (at[axis] - part->box.lower[axis]) * part->stride[axis];
  return result;
}

static void fill(weft_plan plan, double* field) {
  weft_part part;
  int64_t at[3];
  SUCCEED(weft_plan_part(plan, WEFT_INPUT, &part));
  memcpy(at, part.box.lower, sizeof at);
  if (part.elements > 0) do
      field[place(&part, at)] = wave(at);
    while (next(&part, at));
}

static double largest_error(weft_plan plan, const double* field) {
  weft_part part;
  int64_t at[3];
  double error = 0;
  SUCCEED(weft_plan_part(plan, WEFT_INPUT, &part));
  memcpy(at, part.box.lower, sizeof at);
  if (part.elements > 0) do
      error = fmax(error, fabs(field[place(&part, at)] - wave(at)));
    while (next(&part, at));
  return error;
}

/* Mode (3, 0, 2) of the wave is N/2, all others are 0. Complex numbers are pairs here, since C++
 * and some MPIs' headers do not go with <complex.h>. */
static void check_spectrum(weft_plan plan, const double* spectrum) {
  weft_part part;
  weft_element element;
  int64_t at[3];
  double error = 0;
  SUCCEED(weft_plan_part(plan, WEFT_OUTPUT, &part));
  SUCCEED(weft_plan_element(plan, WEFT_OUTPUT, &element));
  CHECK(element.is_real == 0 && element.bytes == 2 * sizeof(double));
  memcpy(at, part.box.lower, sizeof at);
  if (part.elements > 0) do {
      const double expected = at[0] == 3 && at[1] == 0 && at[2] == 2 ? 480 : 0;
      const double* const mode = spectrum + 2 * place(&part, at);
      error = fmax(error, hypot(mode[0] - expected, mode[1]));
    } while (next(&part, at));
  CHECK(error < 1e-10);
}

static void halve(const weft_line* line, void* user) {
  double* const values = line->values;
  int64_t i;
  for (i = 0; i < 2 * line->count; ++i) values[i] *= *(double*)user;
}
static void exchange(const weft_lines* lines, void* user) {
  double *const a = lines->values[0], *const b = lines->values[1];
  int64_t i;
  (void)user;
  for (i = 0; i < 2 * lines->count; ++i) {
    const double old = a[i];
    a[i] = b[i];
    b[i] = old;
  }
}

static void use_functions(weft_plan plan, double* field, double* other) {
  double half = 0.5, two = 2;
  const double lengths[3] = {1, 1, 1};
  const void* in[2];
  void* out[2];
  weft_line_function functions[1] = {halve};
  void* users[1];
  users[0] = &two;
  in[0] = out[1] = field;
  in[1] = out[0] = other;
  SUCCEED(weft_apply(plan, field, field, halve, &half));
  SUCCEED(weft_apply_each(plan, field, 1, out, functions, users));
  CHECK(largest_error(plan, other) < 1e-12);
  out[0] = field;
  out[1] = other;
  SUCCEED(weft_apply_fields(plan, 2, in, 2, out, exchange, NULL));
  CHECK(largest_error(plan, field) < 1e-12);
  SUCCEED(weft_apply_operator(plan, "gaussian 0", lengths, 1, in, 1, out));
  CHECK(largest_error(plan, field) < 1e-12);
}

static void use_sums(weft_plan plan, const double* field, const double* spectrum) {
  double mean = 0, sum[2] = {1, 1}, energy[64], total = 0, wavenumbers[12], weights[12];
  int64_t shells = 0, s;
  weft_part part;
  SUCCEED(weft_mean_square(plan, WEFT_INPUT, field, &mean));
  CHECK(fabs(mean - 0.5) < 1e-12);
  SUCCEED(weft_global_sum(plan, WEFT_INPUT, field, sum));
  CHECK(hypot(sum[0], sum[1]) < 1e-10);
  SUCCEED(weft_energy_by_shell(plan, spectrum, NULL, 64, energy, &shells));
  CHECK(shells > 4 && shells < 64);
  for (s = 0; s < shells; ++s) total += energy[s];
  CHECK(fabs(total - 0.25) < 1e-12 &&
        fabs(energy[4] - 0.25) < 1e-12); /* sqrt(13) is nearest to 4 */
  SUCCEED(weft_plan_part(plan, WEFT_OUTPUT, &part));
  SUCCEED(weft_wavenumbers(plan, 2, NULL, wavenumbers, weights));
  if (part.elements > 0)
    CHECK(wavenumbers[0] == (double)part.box.lower[2] &&
          weights[0] == (part.box.lower[2] == 0 || part.box.lower[2] == 4 ? 1 : 2));
}

static void use_reports(weft_plan plan, const double* u, double* modes) {
  weft_traffic traffic;
  weft_side side = WEFT_INPUT;
  char text[300];
  size_t length = 0;
  SUCCEED(weft_plan_spectral_side(plan, &side));
  CHECK(side == WEFT_OUTPUT);
  SUCCEED(weft_plan_traffic(plan, &traffic));
  CHECK(traffic.pass_bytes > 0 || traffic.sent_bytes == 0);
  SUCCEED(weft_plan_copy(plan, text, "copied", sizeof "copied"));
  CHECK(strcmp(text, "copied") == 0);
  SUCCEED(weft_plan_synchronize(plan));
  CHECK(weft_plan_set_stream(plan, NULL) == WEFT_ERROR_ARGUMENT); /* the host has no streams */
  SUCCEED(weft_names("engines", text, sizeof text, NULL));
  CHECK(strncmp(text, "weft", 4) == 0);
  SUCCEED(weft_plan_engine(plan, text, sizeof text, NULL));
  CHECK(strlen(text) > 0);
  SUCCEED(weft_plan_exchanges(plan, text, sizeof text, NULL));
  SUCCEED(weft_plan_record(plan, 1));
  SUCCEED(weft_forward(plan, u, modes));
  SUCCEED(weft_plan_record(plan, 0));
  SUCCEED(weft_plan_trace(plan, text, sizeof text, &length));
  CHECK(length > 0 && text[0] == '{');
}

static void use_plan(MPI_Comm communicator) {
  weft_plan plan = NULL;
  weft_array field = NULL, spectrum = NULL, other = NULL;
  weft_request request = NULL;
  weft_sizes sizes;
  char text[4000];
  size_t length = 0;
  int done = 0;
  double *u, *modes;
  const void* in[1];
  void* out[1];
  SUCCEED(weft_plan_create(communicator, 3, shape, "kind=r2c exchange=auto fields=2", &plan));
  if (plan == NULL) return;
  SUCCEED(weft_array_own(plan, WEFT_INPUT, &field));
  SUCCEED(weft_array_own(plan, WEFT_OUTPUT, &spectrum));
  SUCCEED(weft_array_make(plan, WEFT_INPUT, &other));
  u = weft_array_data(field);
  modes = weft_array_data(spectrum);
  fill(plan, u);
  SUCCEED(weft_forward(plan, u, modes));
  check_spectrum(plan, modes);
  use_sums(plan, u, modes);
  SUCCEED(weft_backward(plan, modes, weft_array_data(other)));
  CHECK(largest_error(plan, weft_array_data(other)) < 1e-12);
  in[0] = u;
  out[0] = modes;
  SUCCEED(weft_run(plan, WEFT_FORWARD, 1, in, out, 0.5));
  SUCCEED(weft_start(plan, WEFT_BACKWARD, modes, u, 2, &request));
  SUCCEED(weft_test(&request, &done));
  SUCCEED(weft_wait(&request));
  CHECK(largest_error(plan, u) < 1e-12);
  use_functions(plan, u, weft_array_data(other));
  SUCCEED(weft_plan_sizes(plan, &sizes));
  CHECK(sizes.in_place >= sizes.input && sizes.in_place >= sizes.output && sizes.workspace > 0);
  CHECK(sizes.tiles > 0 && sizes.tiles <= sizes.workspace);
  use_reports(plan, u, modes);
  SUCCEED(weft_describe(plan, text, sizeof text, &length));
  CHECK(length > 0 && strstr(text, "12x10x8") != NULL);
  SUCCEED(weft_plan_text(plan, text, sizeof text, NULL));
  CHECK(strstr(text, "kinds=c2c,c2c,r2c") != NULL);
  weft_array_drop(&field);
  weft_plan_drop(&plan);
  weft_array_drop(&spectrum);
  weft_array_drop(&other);
}

static void use_layouts(MPI_Comm communicator) {
  weft_layout layout = NULL, copy = NULL, last = NULL;
  weft_plan plan = NULL;
  weft_part part;
  weft_box box;
  weft_box whole = {3, {0, 0, 0}, {12, 10, 8}};
  const int grid[3] = {1, 1, 1}, split[1] = {1}, order[3] = {1, 2, 0};
  const int64_t extra[3] = {0, 0, 2}, strides[3] = {200, 16, 2};
  weft_global global;
  int rank, ranks, is_equal = 0, is_local = 0, counts[1], split_axes[1], dimensions = 0;
  char text[200];
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  SUCCEED(weft_layout_pencils(3, shape, grid, 0, &layout));
  weft_layout_drop(&layout);
  SUCCEED(weft_layout_bricks(3, shape, grid, &layout));
  weft_layout_drop(&layout);
  SUCCEED(weft_layout_grid(3, shape, 1, grid, split, &layout));
  weft_layout_drop(&layout);
  SUCCEED(weft_layout_boxes(3, shape, 1, &whole, &layout));
  weft_layout_drop(&layout);
  SUCCEED(weft_layout_slabs(3, shape, ranks, 0, &layout));
  SUCCEED(weft_layout_partition(layout, "blocks"));
  SUCCEED(weft_layout_copy(layout, &copy));
  SUCCEED(weft_layout_order(copy, order));
  SUCCEED(weft_layout_pad(copy, extra));
  SUCCEED(weft_layout_contiguous(copy));
  SUCCEED(weft_layout_strides(copy, strides));
  SUCCEED(weft_layout_part(layout, rank, &part));
  SUCCEED(weft_layout_reshape(copy, 3, shape));
  weft_layout_drop(&copy);
  box = part.box;
  SUCCEED(weft_layout_gathered(communicator, 3, shape, &box, &last));
  SUCCEED(weft_layout_text(last, text, sizeof text, NULL));
  SUCCEED(weft_layout_global(last, &global));
  CHECK(global.axes == 3 && global.shape[2] == 8 && global.ranks == ranks);
  SUCCEED(weft_layout_equal(layout, last, &is_equal));
  SUCCEED(weft_layout_is_local(layout, 2, &is_local));
  SUCCEED(weft_layout_process_grid(layout, 1, counts, split_axes, &dimensions));
  CHECK(is_equal && is_local && dimensions == 1 && counts[0] == ranks && split_axes[0] == 0);
  SUCCEED(weft_plan_create_between(communicator, 3, shape, "kind=c2c", layout, last, &plan));
  SUCCEED(weft_plan_layout(plan, WEFT_OUTPUT, &copy));
  SUCCEED(weft_plan_close(&plan));
  weft_layout_drop(&copy);
  weft_layout_drop(&last);
  weft_layout_drop(&layout);
}

static void use_the_rest(MPI_Comm communicator) {
  weft_plan plan = NULL;
  weft_array spectrum = NULL;
  weft_box plane;
  double mean[2 * 120], nyquist[2 * 120];
  char text[4000];
  int grid[2] = {1, 1};
  MPI_Comm placed;
  SUCCEED(weft_plan_create(communicator, 3, shape, "kind=r2c_packed", &plan));
  SUCCEED(weft_array_make(plan, WEFT_OUTPUT, &spectrum));
  SUCCEED(weft_packed_plane(plan, &plane));
  CHECK(plane.axes == 3);
  SUCCEED(weft_unpack_plane(plan, weft_array_data(spectrum), mean, nyquist));
  SUCCEED(weft_pack_plane(plan, mean, nyquist, weft_array_data(spectrum)));
  weft_array_drop(&spectrum);
  weft_plan_drop(&plan);
  SUCCEED(weft_describe_ranks(3, shape, "kind=r2c", 4, 2, text, sizeof text, NULL));
  SUCCEED(weft_tune(communicator, 3, shape, "kind=r2c", NULL, NULL, 0.01, text, sizeof text, NULL));
  MPI_Comm_size(communicator, &grid[0]);
  SUCCEED(weft_place(communicator, 2, grid, "torus:64", &placed));
  MPI_Comm_free(&placed);
  CHECK(weft_plan_create(communicator, 3, shape, "kind=none of these", &plan) ==
        WEFT_ERROR_ARGUMENT);
  CHECK(strstr(weft_error(), "these") != NULL || strstr(weft_error(), "of") != NULL);
  CHECK(strchr(weft_version(), '.') != NULL);
}

int main(int argc, char** argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  use_plan(MPI_COMM_WORLD);
  use_layouts(MPI_COMM_WORLD);
  use_the_rest(MPI_COMM_WORLD);
  MPI_Allreduce(&mistakes, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
