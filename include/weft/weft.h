/// @file
/// Weft for C: the functions of the C++ library (docs/c.md says which are left out), with opaque
/// handles, a status from every call, and choices as text.
///
/// A call writes a new handle to its last argument. A call *_drop ends the handle and sets it to
/// NULL; it is not collective, and takes NULL handles too. Handles may be dropped in any order.
/// Arrays are pointers to this rank's first element. The plan decides the type of elements: float,
/// double or their complex numbers, with C99's or C++'s layout. "Collective" calls are made by all
/// ranks of the communicator together.
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <weft/visibility.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The largest number of axes of an array.
enum { WEFT_MAX_AXES = 8 };

/// Every call returns a status. If it is not WEFT_SUCCESS, weft_error() has the sentence, and
/// results are not written. A mistake in the arguments of a collective call is returned on all
/// ranks, even if only one rank makes it; for transforms see weft_forward. A NULL handle stands for
/// no ranks, so this mistake is returned only where it is made.
typedef enum weft_status {
  WEFT_SUCCESS = 0,         ///< all is well
  WEFT_ERROR_ARGUMENT = 1,  ///< the caller's request is wrong
  WEFT_ERROR_MPI = 2,       ///< a call of MPI failed
  WEFT_ERROR_MEMORY = 3,    ///< there is too little memory
  WEFT_ERROR_DATA = 4,      ///< verify=1 found altered data or a wrong result
  WEFT_ERROR_INTERNAL = 5   ///< anything else, also exceptions of a caller's function in C++
} weft_status;

/// Forward goes from a plan's input to its output, backward the other way round.
enum { WEFT_FORWARD = 0, WEFT_BACKWARD = 1 };
/// One of these; any other number is an error.
typedef int weft_direction;
/// The two ends of a plan.
enum { WEFT_INPUT = 0, WEFT_OUTPUT = 1 };
/// One of these; any other number is an error.
typedef int weft_side;

/// A distributed transform.
typedef struct weft_plan_s* weft_plan;
/// How a global array is spread over ranks.
typedef struct weft_layout_s* weft_layout;
/// Ghost cells around the boxes of a layout.
typedef struct weft_halo_s* weft_halo;
/// Memory of Weft that holds a rank's part of an array.
typedef struct weft_array_s* weft_array;
/// A transform in flight.
typedef struct weft_request_s* weft_request;

/// The global indices lower[a] <= i < upper[a] of every axis a, the slowest axis first. Along
/// cyclic and scrambled axes of layouts, places instead: see weft_part.
typedef struct weft_box {
  int axes;                      ///< how many entries count
  int64_t lower[WEFT_MAX_AXES];  ///< the first index along each axis
  int64_t upper[WEFT_MAX_AXES];  ///< the first index beyond
} weft_box;

/// A rank's part of an array, and its place in memory. Element j along axis a, from 0, has the
/// global index first[a] + j * step[a]. Unless the axis is cyclic or scrambled, first is box.lower
/// and step is 1.
typedef struct weft_part {
  weft_box box;                   ///< its global indices; along cyclic axes its extent alone counts
  int64_t first[WEFT_MAX_AXES];   ///< the first index along each axis
  int64_t step[WEFT_MAX_AXES];    ///< between indices; 0 where they are not equally spaced
  int order[WEFT_MAX_AXES];       ///< the axes from the slowest to the fastest in memory
  int64_t stride[WEFT_MAX_AXES];  ///< elements between neighbours along each axis
  int64_t elements;               ///< in the box; 0 where it is empty
  int64_t allocated;              ///< elements of memory from the first to the last, gaps included
} weft_part;

/// The elements of an array.
typedef struct weft_element {
  int is_real;   ///< 1: real numbers, 0: complex numbers
  size_t bytes;  ///< of one: 4, 8 or 16
} weft_element;

/// Sizes of a plan on this rank, in bytes.
typedef struct weft_sizes {
  size_t input;      ///< of forward's input, gaps included
  size_t output;     ///< of forward's output
  size_t in_place;   ///< of an array for transforms in place
  size_t workspace;  ///< all other memory of the plan
  size_t tiles;      ///< the part of the workspace for tiles, which depends on caches
} weft_sizes;

/// The data that this rank moves in one forward.
typedef struct weft_traffic {
  size_t sent_bytes;  ///< to other ranks, padding included
  int messages;       ///< one for each peer and block
  size_t pass_bytes;  ///< read and written by passes in memory
} weft_traffic;

/// The array that a layout spreads.
typedef struct weft_global {
  int axes;                      ///< how many entries count
  int64_t shape[WEFT_MAX_AXES];  ///< the lengths, the slowest axis first
  int ranks;                     ///< over which it is spread
} weft_global;

/// The sentence of this thread's last failed call; "" if none has failed. Valid until the next
/// failure.
WEFT_API const char* weft_error(void);
/// The version of the library that runs, "0.1.0".
WEFT_API const char* weft_version(void);
/// The names that may stand in texts, separated by commas: "devices", "engines" (at hand, the
/// default first), "exchanges", "inter_node" (methods between nodes), "transforms" and "options"
/// (the words in front of "="). As with snprintf, at most size - 1 characters and a 0 are written.
/// `length`, unless NULL, becomes the length of the whole text. All texts below work like this.
WEFT_API weft_status weft_names(const char* list, char* buffer, size_t size, size_t* length);

// ---- Layouts -----------------------------------------------------------------------------------
// Layouts of a whole array of `axes` axes with the lengths `shape`, the slowest axis first. A
// negative axis counts from the end.

/// One axis is split over all ranks.
WEFT_API weft_status weft_layout_slabs(int axes, const int64_t shape[], int ranks, int axis,
                                       weft_layout* layout);
/// Of the axes other than `local_axis`, the first is split in grid[0], the second in grid[1].
WEFT_API weft_status weft_layout_pencils(int axes, const int64_t shape[], const int grid[],
                                         int local_axis, weft_layout* layout);
/// Axis a is split in grid[a]. Ranks are numbered like the elements of an array with that shape.
WEFT_API weft_status weft_layout_bricks(int axes, const int64_t shape[], const int grid[],
                                        weft_layout* layout);
/// A process grid of `dimensions` dimensions. Dimension d has grid[d] positions and splits the axis
/// split[d]. If several dimensions split one axis, the first is the coarsest.
WEFT_API weft_status weft_layout_grid(int axes, const int64_t shape[], int dimensions,
                                      const int grid[], const int split[], weft_layout* layout);
/// The caller's own boxes, one per rank: disjoint and complete.
WEFT_API weft_status weft_layout_boxes(int axes, const int64_t shape[], int ranks,
                                       const weft_box boxes[], weft_layout* layout);
/// The same where each rank knows only its own box. Collective.
WEFT_API weft_status weft_layout_gathered(MPI_Comm communicator, int axes, const int64_t shape[],
                                          const weft_box* mine, weft_layout* layout);
/// Another handle of a layout that is equal, and may be changed.
WEFT_API weft_status weft_layout_copy(weft_layout layout, weft_layout* copy);
/// Cuts axes by another rule: "balanced", "blocks", "longer_first", "longer_last" or "cyclic". Not
/// for boxes of the caller that follow no process grid.
WEFT_API weft_status weft_layout_partition(weft_layout layout, const char* rule);
/// The same process grid on some of `ranks` ranks: position p is on rank p * stride, the other
/// ranks hold nothing. A stride of 0 means ranks / positions. Not for boxes of the caller.
WEFT_API weft_status weft_layout_spread(weft_layout layout, int ranks, int stride);
/// Stores elements in another order: the axes from the slowest to the fastest.
WEFT_API weft_status weft_layout_order(weft_layout layout, const int order[]);
/// Splits another shape with as many axes in the same way. Not for boxes of the caller.
WEFT_API weft_status weft_layout_reshape(weft_layout layout, int axes, const int64_t shape[]);
/// Leaves room for `extra` elements more along each axis of every rank's array: FFTW's rows in
/// place, ghost cells.
WEFT_API weft_status weft_layout_pad(weft_layout layout, const int64_t extra[]);
/// Sets this rank's own strides, in elements; all ranks set some.
WEFT_API weft_status weft_layout_strides(weft_layout layout, const int64_t strides[]);
/// Takes padding and strides away.
WEFT_API weft_status weft_layout_contiguous(weft_layout layout);
/// The part that a rank holds.
WEFT_API weft_status weft_layout_part(weft_layout layout, int rank, weft_part* part);
/// The global index of element `place` of the part that a rank holds, along an axis, from 0: also
/// of axes whose indices are not equally spaced.
WEFT_API weft_status weft_layout_index(weft_layout layout, int rank, int axis, int64_t place,
                                       int64_t* index);
/// The whole array, and over how many ranks it is spread.
WEFT_API weft_status weft_layout_global(weft_layout layout, weft_global* global);
/// `equal` becomes 1 where shape, boxes, order, gaps and process grid of the two are the same, else
/// 0.
WEFT_API weft_status weft_layout_equal(weft_layout a, weft_layout b, int* equal);
/// `local` becomes 1 where every rank that holds anything holds all of that axis, else 0.
WEFT_API weft_status weft_layout_is_local(weft_layout layout, int axis, int* local);
/// The process grid, as weft_layout_grid takes it. At most `size` entries of either list are
/// written. `dimensions`, unless NULL, becomes their number; 0 for boxes of the caller.
WEFT_API weft_status weft_layout_process_grid(weft_layout layout, int size, int grid[], int split[],
                                              int* dimensions);
/// The layout in one line, for people.
WEFT_API weft_status weft_layout_text(weft_layout layout, char* buffer, size_t size,
                                      size_t* length);
/// Not collective.
WEFT_API void weft_layout_drop(weft_layout* layout);

// ---- Ghost cells -------------------------------------------------------------------------------

/// Fills ghost cells around each rank's box. The array continues at its other end along periodic
/// axes; ghost cells beyond the ends of others stay as they are. corners: whether cells outside
/// along several axes are filled, too. A layout without gaps is padded by the ghost cells; padding
/// must have room for them. Elements have 1, 2, 4, 8 or 16 bytes. Collective.
WEFT_API weft_status weft_halo_create(MPI_Comm communicator, weft_layout layout,
                                      const int64_t below[], const int64_t above[],
                                      const int periodic[], int corners, size_t element_bytes,
                                      weft_halo* halo);
/// The layout of the arrays, with room for ghost cells: for plans that transform them.
WEFT_API weft_status weft_halo_layout(weft_halo halo, weft_layout* layout);
/// What to allocate, in elements, and how many of these lie before the first element of the box.
WEFT_API weft_status weft_halo_sizes(weft_halo halo, int64_t* allocated, int64_t* offset);
/// Copies elements of all ranks to this rank's ghost cells. `array` is the address of the first
/// element of this rank's box. Collective; a mistake ends the job, because others wait.
WEFT_API weft_status weft_halo_update(weft_halo halo, void* array);
/// Begins an update: elements that no other rank copies may be changed, and all but ghost cells be
/// read, until weft_halo_wait.
WEFT_API weft_status weft_halo_start(weft_halo halo, void* array);
/// Returns when the update has ended.
WEFT_API weft_status weft_halo_wait(weft_halo halo);
/// Ends the halo and sets the handle to NULL. Not collective.
WEFT_API void weft_halo_drop(weft_halo* halo);

// ---- Plans -------------------------------------------------------------------------------------

/// A plan for a global array with the lengths `shape`, the slowest axis first (see
/// weft_layout_part for the layouts that it chooses). `text` says what to compute, and how:
///   "kind=r2c norm=ortho precision=double exchange=auto"
/// with all settings of weft::Transform::parse and weft::Options::parse, separated by spaces; only
/// the kind must be there. docs/c.md lists them. Collective; a mistake is returned on all ranks.
WEFT_API weft_status weft_plan_create(MPI_Comm communicator, int axes, const int64_t shape[],
                                      const char* text, weft_plan* plan);
/// The same with the caller's layouts of forward's input and output; NULL: the planner's.
WEFT_API weft_status weft_plan_create_between(MPI_Comm communicator, int axes,
                                              const int64_t shape[], const char* text,
                                              weft_layout input, weft_layout output,
                                              weft_plan* plan);
/// Collective: drops the plan, and frees at once everything that all ranks have dropped.
WEFT_API weft_status weft_plan_close(weft_plan* plan);
/// Not collective, and harmless after MPI_Finalize. Some memory can only be freed by all ranks
/// together. This happens once all have dropped the plan, when they next make or close a plan
/// there, or finalise MPI.
WEFT_API void weft_plan_drop(weft_plan* plan);
/// The part that this rank holds at that end.
WEFT_API weft_status weft_plan_part(weft_plan plan, weft_side side, weft_part* part);
/// The layout at that end.
WEFT_API weft_status weft_plan_layout(weft_plan plan, weft_side side, weft_layout* layout);
/// The type of the elements at that end.
WEFT_API weft_status weft_plan_element(weft_plan plan, weft_side side, weft_element* element);
/// The end at which the spectrum is: the output, unless the kind is c2r.
WEFT_API weft_status weft_plan_spectral_side(weft_plan plan, weft_side* side);
/// The memory that arrays need, and that the plan takes.
WEFT_API weft_status weft_plan_sizes(weft_plan plan, weft_sizes* sizes);
/// The data that this rank sends, reads and writes in one forward.
WEFT_API weft_status weft_plan_traffic(weft_plan plan, weft_traffic* traffic);
/// The text with which weft_plan_create makes the same plan again: all choices that are not
/// defaults, also the planner's. The shape is not part of it.
WEFT_API weft_status weft_plan_text(weft_plan plan, char* buffer, size_t size, size_t* length);
/// The name of the engine in use.
WEFT_API weft_status weft_plan_engine(weft_plan plan, char* buffer, size_t size, size_t* length);
/// The names of the exchange methods in use, one for each exchange of forward, with commas between
/// them.
WEFT_API weft_status weft_plan_exchanges(weft_plan plan, char* buffer, size_t size, size_t* length);
/// Copies between memory of the plan's device and the host's, after all transforms of the plan so
/// far. Returns when the copy is done.
WEFT_API weft_status weft_plan_copy(weft_plan plan, void* to, const void* from, size_t bytes);
/// Returns when the plan's device has done all its work. Results in its memory are complete only
/// then, or for later work on the plan's stream.
WEFT_API weft_status weft_plan_synchronize(weft_plan plan);
/// From now on the plan's device works on this stream of the caller (a cudaStream_t), after the
/// work that the stream already holds. See weft::Plan::set_stream.
WEFT_API weft_status weft_plan_set_stream(weft_plan plan, void* stream);
/// Switches recording of this rank's actions on, which begins a new trace, or off (0). No transform
/// of the plan may be in flight.
WEFT_API weft_status weft_plan_record(weft_plan plan, int on);
/// The recorded trace, as JSON: {"spans": [{"what": "pass", "name": ..., "begin": seconds, ...}],
/// "dropped": 0}, with the members of weft::Trace.
WEFT_API weft_status weft_plan_trace(weft_plan plan, char* buffer, size_t size, size_t* length);
/// Passes, exchanges, bytes, messages and memory, for people.
WEFT_API weft_status weft_describe(weft_plan plan, char* buffer, size_t size, size_t* length);
/// The same for any number of ranks, without starting them; ranks_per_node 0: all on one node.
WEFT_API weft_status weft_describe_ranks(int axes, const int64_t shape[], const char* text,
                                         int ranks, int ranks_per_node, char* buffer, size_t size,
                                         size_t* length);
/// Searches for about `seconds` for the fastest values of options that `text` leaves open, and
/// keeps them as wisdom for later plans. Layouts are as for weft_plan_create_between. `buffer`
/// receives the best options as text. Collective.
WEFT_API weft_status weft_tune(MPI_Comm communicator, int axes, const int64_t shape[],
                               const char* text, weft_layout input, weft_layout output,
                               double seconds, char* buffer, size_t size, size_t* length);
/// A communicator of the same ranks in an order that suits a process grid: rank r is at row-major
/// position r, and ranks that exchange are near each other. `network`: for example "torus:8x8x8".
/// NULL or "": the value of WEFT_NETWORK; without it, only nodes are known. The caller frees the
/// communicator with MPI_Comm_free. Collective.
WEFT_API weft_status weft_place(MPI_Comm communicator, int dimensions, const int grid[],
                                const char* network, MPI_Comm* placed);

// ---- Arrays ------------------------------------------------------------------------------------

/// The plan's own array at that end, the same memory on every call: transforms between the two are
/// the fastest. Its pointer stands for it in transforms; all ranks pass it or none does.
/// Collective.
WEFT_API weft_status weft_array_own(weft_plan plan, weft_side side, weft_array* array);
/// A new array like the plan's at that end, filled with zeros. The caller may make any number of
/// them.
WEFT_API weft_status weft_array_make(weft_plan plan, weft_side side, weft_array* array);
/// The first element; NULL of a NULL array.
WEFT_API void* weft_array_data(weft_array array);
/// Not collective. Memory of the plan's own array ends with the plan and the last of its handles.
WEFT_API void weft_array_drop(weft_array* array);

// ---- Transforms --------------------------------------------------------------------------------

/// Transforms `in`, an array like the plan's input, to `out`, an array like its output. The same
/// pointer twice means in place, in an array of weft_sizes.in_place bytes. Otherwise `in` stays as
/// it is, and the two arrays must not overlap. NULL where this rank holds nothing. Collective.
///
/// A mistake that all ranks make is returned on all of them; with check_calls=1, so is a mistake of
/// a single rank. Any other mistake, and a failure in the middle of a transform, ends the job with
/// its message, because the other ranks would wait forever. With errors=raise it is returned where
/// it happens.
WEFT_API weft_status weft_forward(weft_plan plan, const void* in, void* out);
/// The inverse, scaled so that it undoes weft_forward.
WEFT_API weft_status weft_backward(weft_plan plan, const void* in, void* out);
/// Transforms several fields at once, from in[f] to out[f], at most as many as fields=... allows.
/// The results are multiplied by `scale`.
WEFT_API weft_status weft_run(weft_plan plan, weft_direction direction, int fields,
                              const void* const in[], void* const out[], double scale);
/// Starts a transform of one field, goes as far as it can without waiting, and returns. Neither
/// array may be touched until weft_test or weft_wait say that it is over. All ranks start the
/// transforms of a plan in the same order, and may wait in any.
WEFT_API weft_status weft_start(weft_plan plan, weft_direction direction, const void* in, void* out,
                                double scale, weft_request* request);
/// Does all work that needs no waiting. Once the transform is over, `done` becomes 1 and the
/// request NULL. A NULL request is over. After an error the request is NULL as well.
WEFT_API weft_status weft_test(weft_request* request, int* done);
/// Returns when the transform is over; the request becomes NULL. To drop a request is to wait.
WEFT_API weft_status weft_wait(weft_request* request);

// ---- Functions of the spectrum -----------------------------------------------------------------

/// Consecutive modes along one axis.
typedef struct weft_line {
  void* values;               ///< the modes, which a function changes in place
  int64_t count;              ///< how many
  int axis;                   ///< the axis along which they lie
  const double* wavenumbers;  ///< of the values, `count` of them
  const double* at;           ///< wavenumbers of the other axes, by axis; the index of batch axes
} weft_line;
/// The same modes of several fields.
typedef struct weft_lines {
  void* const* values;        ///< by field: inputs are read there, outputs written there
  int fields;                 ///< the number of inputs or of outputs, whichever is larger
  int64_t count;              ///< modes of each
  int axis;                   ///< the axis along which they lie
  const double* wavenumbers;  ///< of the values, `count` of them
  const double* at;           ///< wavenumbers of the other axes
} weft_lines;
/// Called for every line with the caller's pointer; by several threads at once with threads=2 and
/// more.
typedef void (*weft_line_function)(const weft_line* line, void* user);
/// The same for several fields.
typedef void (*weft_lines_function)(const weft_lines* lines, void* user);

/// Transforms a physical array to its spectrum, applies `function`, and transforms back to a
/// physical array, without a spectrum in memory. The function sees each mode once, as forward would
/// have written it. The same pointer twice is in place. Collective.
WEFT_API weft_status weft_apply(weft_plan plan, const void* in, void* out,
                                weft_line_function function, void* user);
/// The same to several arrays, each through its own function and with its own pointer (`users` may
/// be NULL); none of them may be the input.
WEFT_API weft_status weft_apply_each(weft_plan plan, const void* in, int outputs, void* const out[],
                                     const weft_line_function functions[], void* const users[]);
/// From several fields to several others, through one function that sees all of them. Output f may
/// be input f.
WEFT_API weft_status weft_apply_fields(weft_plan plan, int inputs, const void* const in[],
                                       int outputs, void* const out[], weft_lines_function function,
                                       void* user);
/// A ready-made operator, for a box with the edges `lengths` (one per axis; edges of batch axes are
/// ignored): "laplacian", "inverse_laplacian", "gaussian WIDTH", "sharp CUTOFF", "derivative AXIS"
/// from one field to one; "gradient" from one to d; "divergence" from d to one; "curl" from 3 to 3
/// or 2 to 1; "projection" from d to d. See weft::SpectralOperators. Collective.
WEFT_API weft_status weft_apply_operator(weft_plan plan, const char* name, const double lengths[],
                                         int inputs, const void* const in[], int outputs,
                                         void* const out[]);

// ---- Functions for solvers ----------------------------------------------------------------------

/// The wavenumbers of this rank's modes along an axis of the spectrum, one for each index of this
/// rank's box. A negative axis counts from the end. They are angular, for a box with the edges
/// `lengths`; if `lengths` is NULL, they are in periods per box. `weights`, unless NULL: the
/// product over the axes says how often a mode counts in sums (2 where the conjugate of a mode of
/// real data is implied).
WEFT_API weft_status weft_wavenumbers(weft_plan plan, int axis, const double lengths[],
                                      double wavenumbers[], double weights[]);
/// The sum of all elements of an array at that end, real and imaginary part. Collective.
WEFT_API weft_status weft_global_sum(weft_plan plan, weft_side side, const void* array,
                                     double sum[2]);
/// The mean of |x|^2 over the physical grid, from an array at either end. Collective.
WEFT_API weft_status weft_mean_square(weft_plan plan, weft_side side, const void* array,
                                      double* mean);
/// Half the mean square, by wavenumber in units of the smallest (see weft::energy_by_shell). At
/// most `size` shells are written; `shells` becomes their number, the same on all ranks. `lengths`
/// may be NULL. Collective.
WEFT_API weft_status weft_energy_by_shell(weft_plan plan, const void* spectrum,
                                          const double lengths[], int64_t size, double energy[],
                                          int64_t* shells);
/// For r2c_packed: this rank's part of the plane that holds modes 0 and n/2.
WEFT_API weft_status weft_packed_plane(weft_plan plan, weft_box* box);
/// Splits this plane of a spectrum into the planes of mode 0 and of mode n/2. Collective.
WEFT_API weft_status weft_unpack_plane(weft_plan plan, const void* spectrum, void* mean,
                                       void* nyquist);
/// Puts the two planes back. Collective.
WEFT_API weft_status weft_pack_plane(weft_plan plan, const void* mean, const void* nyquist,
                                     void* spectrum);

#ifdef __cplusplus
}
#endif
#endif
