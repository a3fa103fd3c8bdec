// The plan: a transform bound to a communicator, ready to run any number of times.
#pragma once

#include <mpi.h>

#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>
#include <weft/array.hpp>
#include <weft/describe.hpp>
#include <weft/export.hpp>
#include <weft/fields.hpp>
#include <weft/layout.hpp>
#include <weft/options.hpp>
#include <weft/spectrum.hpp>
#include <weft/trace.hpp>
#include <weft/transform.hpp>

namespace weft {

class Session;       // the plan's implementation; src/session/session.hpp
class PlanRegistry;  // frees sessions that all ranks have dropped; src/session/plan_registry.hpp

/// A transform in flight, from Plan::start_forward or start_backward.
class WEFT_API Handle {
 public:
  /// An empty handle: `test` returns true, `wait` returns at once.
  Handle() = default;
  /// Takes over the transform of `other`, which is then empty.
  Handle(Handle&& other) noexcept;
  /// The same, after waiting for this handle's own transform.
  Handle& operator=(Handle&& other) noexcept;
  /// Waits for the transform if it is still in flight.
  ~Handle();

  /// Does all work that needs no waiting, passes included. Returns true once the transform has
  /// ended.
  bool test();
  /// Returns when the transform has ended. All other transforms of its plan progress meanwhile.
  void wait();

 private:
  friend class Plan;
  Handle(std::shared_ptr<Session> plan, std::uint64_t ticket)
      : plan_(std::move(plan)), ticket_(ticket) {}

  std::shared_ptr<Session> plan_;  // none once it is over
  std::uint64_t ticket_ = 0;
};

/// A distributed transform. Making a plan and asking for its arrays are collective over the
/// communicator; so are forward and backward. A mistake in the arguments of a plan throws the same
/// `Error` on every rank. Different plans may be made and run by different threads at once
/// (MPI_THREAD_MULTIPLE); one plan is used by one thread at a time.
///
/// If all ranks make a mistake in the arguments of a transform, all of them throw it, and the plan
/// goes on. With Options::check_calls this also holds for a mistake of a single rank.
/// Options::errors decides about other mistakes, and about errors in the middle of a transform.
///
/// Plans, their arrays and handles may be dropped at any time and in any order, from any thread,
/// and after MPI_Finalize. Ranks may drop them at different times. Windows, communicators and the
/// memory behind them can only be freed by all ranks together. This happens once every rank has
/// dropped its part: when the ranks next make or close a plan on the same communicator, free that
/// communicator or finalise MPI. `close` frees at once. If the communicator was freed before its
/// plans, the next plan or `close` on any communicator with all of its ranks frees them. The thread
/// that freed the communicator must make that call.
class WEFT_API Plan {
 public:
  /// A plan for a whole array: Plan(comm, {256, 256, 256}, Kind::r2c). Layouts are the planner's.
  Plan(MPI_Comm communicator, const Shape& shape, Kind kind, const Options& options = {});
  /// The same for any Transform. The communicator is duplicated, not kept.
  Plan(MPI_Comm communicator, const Transform& transform, const Options& options = {});
  /// With the caller's layouts of forward's input and output, independent of each other.
  Plan(MPI_Comm communicator, const Transform& transform, const Layout& input, const Layout& output,
       const Options& options = {});
  /// Takes a plan over; the other may then only be assigned to or destroyed.
  Plan(Plan&&) noexcept;
  /// The same; the plan that was here is dropped.
  Plan& operator=(Plan&&) noexcept;
  /// Not collective. Transforms in flight keep all that they need until their handles are gone.
  ~Plan();
  /// Collective: drops the plan, and frees at once everything that all ranks have dropped. The plan
  /// itself is freed only if its arrays and handles are gone. Afterwards the plan may only be
  /// assigned to or destroyed; closing it again does nothing.
  void close();

  /// The transform, as it was given.
  const Transform& transform() const;
  /// The options as given, with the planner's choices where they were left open.
  const Options& options() const;
  /// The layout of forward's input (backward: of its output).
  const Layout& input_layout() const;
  /// The layout of forward's output (backward: of its input).
  const Layout& output_layout() const;
  /// The global indices that this rank holds of the input.
  Box input_box() const;
  /// The global indices that this rank holds of the output.
  Box output_box() const;
  /// This rank's number of elements, real or complex, of the input.
  Index input_size() const;
  /// This rank's number of elements, real or complex, of the output.
  Index output_size() const;
  /// Whether elements of the input are real numbers.
  bool input_is_real() const;
  /// Whether elements of the output are real numbers.
  bool output_is_real() const;
  /// The type of the elements at that end. A plan of Transform::element_bytes takes arrays of all
  /// types with as many bytes.
  ElementType element_type(Side side) const;
  /// Bytes that an in-place array needs on this rank: the larger of input and output, gaps
  /// included.
  std::size_t in_place_bytes() const;

  /// The plan's own array for forward's input: the same memory on every call, on the plan's device.
  /// The caller may use its elements only with device=cpu. Collective on the first call. Transforms
  /// between this array and output() are the fastest: with `shared` both lie in the plan's windows,
  /// and peers write results straight into them. An Error unless T fits the plan (double or
  /// complex<double>, ...).
  template <AnyElement T>
  Array<T> input() {
    return own<T>(Side::input);
  }
  /// The plan's own array for forward's output; see input.
  template <AnyElement T>
  Array<T> output() {
    return own<T>(Side::output);
  }
  /// A new array like forward's input, filled with zeros. The caller may make any number of them.
  /// Not collective. An Error unless T fits the plan.
  template <AnyElement T>
  Array<T> make_input() const {
    return made<T>(Side::input);
  }
  /// A new array like forward's output.
  template <AnyElement T>
  Array<T> make_output() const {
    return made<T>(Side::output);
  }

  /// Copies between memory of the plan's device and the host's, after all transforms of the plan so
  /// far. Returns when the copy is done. On the host it is a plain copy.
  void copy(void* to, const void* from, std::size_t bytes) const;
  /// Returns when the plan's device has done all its work. Results in the device's memory are
  /// complete only then, or for later work on the same stream. Results in the host's memory are
  /// complete without this call. On the host there is nothing to wait for.
  void synchronize() const;

  /// From now on the plan's device works on this stream of the caller (a cudaStream_t), after the
  /// work that the stream already holds. Transforms and the caller's kernels on this stream then
  /// need no waits between them. The stream must exist until another one is set or the plan is
  /// dropped. Without this call a plan has a stream of its own. No transform of the plan may be in
  /// flight. Waits for the work on the former stream. Not collective. An Error where the plan's
  /// device has no streams: on the host, and on emulated devices.
  void set_stream(void* stream);

  /// Later work of the plan on its device waits for the work that this stream of the caller holds
  /// now. The plan keeps its own stream. Not collective. Does nothing where callers cannot make
  /// streams of the plan's device.
  void wait_for_stream(void* stream);
  /// Whether the address lies in the memory of the plan's device. Plans use arrays there without a
  /// copy, and the host may not touch them. Always false with device=cpu.
  bool is_on_device(const void* address) const;
  /// The plan's device in the terms of DLPack, the protocol by which libraries hand each other
  /// arrays.
  struct Dlpack {
    int kind = 0;    ///< 1: the host, 2: CUDA; 0: no other library can use such memory
    int number = 0;  ///< which of several devices
  };
  /// The memory of arrays that the plan makes, in these terms.
  Dlpack dlpack_device() const;

  /// Transforms `in`, with the layout input_layout(), to `out`, with the layout output_layout().
  /// Multiplies the result by `scale`, in addition to the plan's own Scale; `scale` is finite, and
  /// the same on all ranks. Collective.
  ///
  /// One field is an Array, or a std::vector, std::span or std::array of elements, whose sizes are
  /// checked. It may also be a pointer to the first element; null is fine where this rank holds
  /// nothing. Several fields at once (at most options().fields) are a range of these: field f goes
  /// from in[f] to out[f].
  ///
  /// Out of place leaves `in` untouched; with the same address twice the transform is in place and
  /// needs in_place_bytes(). Arrays that overlap otherwise are an error. Results go straight into
  /// the plan's own array if all ranks pass it as an Array, not as a pointer.
  template <Readable In, Writable Out>
  void forward(const In& in, Out&& out, double scale = 1) {
    run(Direction::forward, raw_fields(in), raw_fields(out), scale);
  }
  /// The inverse of forward: from an array like output() to an array like input(), under the same
  /// rules. The result is scaled so that it undoes forward (see Scale), and multiplied by `scale`.
  template <Readable In, Writable Out>
  void backward(const In& in, Out&& out, double scale = 1) {
    run(Direction::backward, raw_fields(in), raw_fields(out), scale);
  }

  /// Starts a transform of one field: goes as far as it can without waiting for other ranks, and
  /// returns. Meanwhile the caller computes, and calls `test` of the handle now and then. It need
  /// not do so where the network or a thread (progress=thread) makes progress alone. Neither array
  /// may be touched until the handle says that the transform is over. Options::fields transforms
  /// may be in flight. The next one takes the place of the oldest, which must be over. All ranks
  /// start or run the transforms of a plan in the same order, and may wait for them in any order.
  /// With several plans they also wait in the same order, because a plan does not advance the
  /// transforms of other plans.
  template <OneField In, Writable Out>
  Handle start_forward(const In& in, Out&& out, double scale = 1) {
    return start(Direction::forward, raw_array(in), raw_array(out), scale);
  }
  /// Starts a backward transform, under the same rules.
  template <OneField In, Writable Out>
  Handle start_backward(const In& in, Out&& out, double scale = 1) {
    return start(Direction::backward, raw_array(in), raw_array(out), scale);
  }

  /// Transforms a physical array (the input, or for c2r plans the output) to its spectrum, applies
  /// `function`, and transforms back to a physical array. This saves the sweep over a spectrum in
  /// memory: the last axis is transformed, changed and transformed back in one tile. The function
  /// sees each kept mode once, line by line, with the value that forward would have written.
  /// Backward's scale applies on the way back. The same address twice is in place. On a device the
  /// function must be one of SpectralOperators, else an Error. The spectrum then lies in memory of
  /// the plan, and the plan needs arrays=any. Collective; the first call takes the memory it needs.
  /// T is the spectrum's element type, for example
  ///   plan.apply<std::complex<double>>(f, u, operators.inverse_laplacian<std::complex<double>>());
  template <ArrayElement T, OneField In, Writable Out>
  requires OneField<std::remove_cvref_t<Out>>
  void apply(const In& in, Out&& out, std::type_identity_t<LineFunction<T>> function) {
    apply(raw_array(in), raw_fields(out), element_of<T>(), {untyped<T>(std::move(function))});
  }
  /// The same to several arrays, each through its own function (a gradient, for example); none of
  /// them may be the input.
  template <ArrayElement T, OneField In, Writable Out>
  void apply(const In& in, Out&& out,
             const std::type_identity_t<std::vector<LineFunction<T>>>& functions) {
    std::vector<RawLineFunction> raw;
    for (const LineFunction<T>& function : functions) raw.push_back(untyped<T>(function));
    apply(raw_array(in), raw_fields(out), element_of<T>(), raw);
  }
  /// From several fields to several others through one function that sees all of their spectra,
  /// mode by mode: a curl, a projection, a nonlinear term. Field f of the output may be field f of
  /// the input. The spectra lie in memory of the plan in between, as many as there are inputs or
  /// outputs; the fields are transformed options().fields at a time.
  template <ArrayElement T, SeveralFields In, Writable Out>
  void apply(const In& in, Out&& out, const std::type_identity_t<FieldsFunction<T>>& function) {
    apply(raw_fields(in), raw_fields(out), element_of<T>(), untyped<T>(function));
  }

  /// For r2c_packed: this rank's part of the plane that holds modes 0 and n/2, one index along the
  /// packed axis. It may be empty. An Error if no axis is packed.
  Box packed_plane() const;
  /// Splits the plane P(k) = F(0, k) + i F(n/2, k) of a spectrum: `mean` receives F(0, k) and
  /// `nyquist` F(n/2, k), at packed_plane() in the spectrum's memory order. Collective, since
  ///   F(0, k) = (P(k) + conj P(-k)) / 2,  F(n/2, k) = (P(k) - conj P(-k)) / 2i
  /// and another rank may hold -k. A filter that is the same on both planes may be applied
  /// to P itself. For a filter with the values G0 and Gn on them, unpack, multiply and pack: the
  /// result is (G0 + Gn)/2 P(k) + (G0 - Gn)/2 conj P(-k).
  template <class T>
  void unpack_plane(const T* spectrum, T* mean, T* nyquist) {
    run_unpack(spectrum, mean, nyquist, element_of<T>());
  }
  /// Puts the two planes back into the spectrum. Collective, like unpack_plane.
  template <class T>
  void pack_plane(const T* mean, const T* nyquist, T* spectrum) {
    run_pack(mean, nyquist, spectrum, element_of<T>());
  }

  /// Passes, exchanges, grids, bytes and messages per exchange, buffers, peak memory: text for
  /// people.
  std::string describe() const;
  /// Bytes this rank holds beyond input and output arrays (send, receive and window memory, on a
  /// device also their mirrors on the host, and tiles).
  std::size_t workspace_bytes() const;
  /// The part of workspace_bytes() that the passes' tiles take. The sizes of the caches decide it;
  /// it grows with the array only if single lines are longer than a tile.
  std::size_t tile_bytes() const;
  /// The name of the engine in use.
  std::string engine() const;
  /// The names of the exchange methods in use, one per exchange of forward.
  std::vector<std::string> exchanges() const;
  /// One pass of forward: a sweep of each rank over its own box.
  struct Pass {
    std::string computes;  ///< for people: "c2c along axis 2, then c2c along axis 1"
    Layout before;         ///< which box each rank holds as the pass begins, in kept indices
    Layout after;          ///< the same as it ends: fewer or more indices along transformed axes
  };
  /// The passes of forward; exchange e of `exchanges` moves the data from passes()[e].after to
  /// passes()[e + 1].before.
  std::vector<Pass> passes() const;
  /// A part of forward. `passes`: all passes, with every exchange replaced by this rank's own
  /// memory, as if communication were free; not collective. `exchanges`: all exchanges, of
  /// whatever the buffers hold, without computing; collective, and no user array is touched.
  enum class Part { passes, exchanges };
  /// A function that runs that part, for measurements; it may be called repeatedly. The plan must
  /// outlive it.
  std::function<void()> part(Part part);
  /// The data that this rank sends to others in one forward, padding included.
  struct Traffic {
    std::size_t bytes = 0;  ///< as sent: fewer with a shorter Options::wire
    int messages = 0;       ///< one for each peer and block
  };
  /// The traffic of this rank; bytes that `shared` writes into peers' memory count as sent.
  Traffic sent() const;
  /// Bytes that this rank's passes read and write in one forward: the traffic that no schedule
  /// avoids.
  std::size_t pass_bytes() const;
  /// Switches recording of this rank's actions on (starting a new trace) or off. No transform of
  /// the plan may be in flight. Not collective; costs almost nothing while off.
  void record(bool on);
  /// The recorded spans: at most the first 65536 of each thread, for which memory is allocated
  /// beforehand.
  Trace trace() const;

  // The same calls for arrays whose type is known only at run time, for bindings to other
  // languages.

  /// Transforms field f from in[f] to out[f]; see forward and backward.
  void run(Direction direction, std::span<const RawArray> in, std::span<const RawArray> out,
           double scale = 1);
  /// See start_forward.
  Handle start(Direction direction, const RawArray& in, const RawArray& out, double scale = 1);
  /// See apply with one function for each output.
  void apply(const RawArray& in, std::span<const RawArray> outs, ElementType spectrum_type,
             const std::vector<RawLineFunction>& functions);
  /// See apply with several inputs.
  void apply(std::span<const RawArray> ins, std::span<const RawArray> outs,
             ElementType spectrum_type, const RawFieldsFunction& function);
  /// The memory of the plan's own array; see input and output. Calls recognise it if it is passed
  /// with owner().
  std::shared_ptr<void> own_array(Side side, ElementType type);
  /// RawArray::owner of the plan's own arrays.
  const void* owner() const;
  /// The memory of a new array; see make_input and make_output.
  std::shared_ptr<void> make_array(Side side, ElementType type) const;
  /// This rank of the plan's communicator.
  int rank() const;
  /// Adds up the values over the ranks of the plan, in place; all ranks get the same sums.
  /// Collective.
  void sum_over_ranks(std::span<double> values) const;
  /// Runs `work`, which does not communicate. If it throws on some ranks, all ranks throw the error
  /// of the lowest of these. Collective.
  void agree(const std::function<void()>& work) const;
  /// Takes part in a transform that this rank called with this mistake. Throws the mistake where
  /// and how Options::errors and Options::check_calls say.
  [[noreturn]] void refuse(const Error& mistake);

  /// The layout of the arrays at that end.
  const Layout& layout(Side side) const {
    return side == Side::input ? input_layout() : output_layout();
  }

 private:
  template <class T>
  Array<T> own(Side side) {
    return {own_array(side, element_of<T>()), layout(side), rank(), owner()};
  }
  template <class T>
  Array<T> made(Side side) const {
    return {make_array(side, element_of<T>()), layout(side), rank()};
  }
  void run_unpack(const void* spectrum, void* mean, void* nyquist, ElementType type);
  void run_pack(const void* mean, const void* nyquist, void* spectrum, ElementType type);

  Session& session() const;

  std::shared_ptr<PlanRegistry> registry_;
  std::shared_ptr<Session> state_;
};

/// Collective: the layout in which every rank holds the box that it passes. Throws on all ranks
/// unless the boxes lie inside the global shape, are disjoint and complete.
WEFT_API Layout gather_layout(MPI_Comm communicator, const Shape& global, const Box& mine);

}  // namespace weft
