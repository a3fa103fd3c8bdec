// A plan at run time: its programs, bound to memory and communicators, and its transforms in
// flight.
#pragma once

#include <fmt/format.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>
#include <weft/fields.hpp>
#include <weft/options.hpp>
#include <weft/trace.hpp>

#include "call/array_checks.hpp"
#include "call/call_policy.hpp"
#include "plan/choice.hpp"
#include "run/flights.hpp"
#include "run/progress.hpp"
#include "session/device_copies.hpp"
#include "session/device_spectrum.hpp"
#include "session/resources.hpp"
#include "session/spectrum_sweep.hpp"

namespace weft {

/// A checked request in which every option is settled, and its routes.
struct PlannedRequest {
  RouteRequest request;
  Routes routes;
  Choice choice = {};
  /// The caller left the exchange open: if shared memory is too small, another method may serve.
  bool may_avoid_windows = false;
};

/// The routes of a request that check_request has passed.
PlannedRequest planned(const Job& job, RouteRequest request, const Choice& choice = {});

/// The end of the plan whose array a direction reads.
inline Side source_of(Direction direction) {
  return direction == Direction::forward ? Side::input : Side::output;
}
/// The end whose array it writes.
inline Side target_of(Direction direction) { return source_of(reverse(direction)); }

/// The direction that writes the array at that end.
inline Direction delivering_to(Side side) {
  return side == Side::output ? Direction::forward : Direction::backward;
}

/// What a caller asks for in one call: field f goes from in[f] to out[f].
struct TransformCall {
  Direction direction = Direction::forward;
  std::span<const RawArray> in;
  std::span<const RawArray> out;
  double scale = 1;
};

/// From one physical array to several, each through its own function.
struct ApplyCall {
  RawArray in;
  std::span<const RawArray> outs;
  ElementType spectrum_type;
  const std::vector<RawLineFunction>& functions;
};

/// From several physical arrays to several, through one function.
struct FieldsCall {
  std::span<const RawArray> ins;
  std::span<const RawArray> outs;
  ElementType spectrum_type;
  const RawFieldsFunction& function;
};

class Session {
 public:
  /// Collective.
  Session(const Job& job, PlannedRequest plan);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Transforms the fields and returns when they are done.
  void run(const TransformCall& call);
  /// Starts a transform of one field and goes as far as it can without waiting. It is over when
  /// `test` or `wait` of the ticket has said so.
  std::uint64_t start(const TransformCall& call);
  bool test(std::uint64_t ticket);
  void wait(std::uint64_t ticket);
  /// Waits for all that were started, and for what compares calls: nothing of this plan is under
  /// way in MPI afterwards.
  void finish_flights();
  /// From a physical array to the spectrum, through functions[i] and back to outs[i]. On first use
  /// it takes the memory it needs.
  void apply(const ApplyCall& call);
  void apply(const FieldsCall& call);
  /// Performs the actions of a forward that are `wanted`, on whatever the buffers hold. Collective.
  void run_part(const std::function<bool(const Action&)>& wanted);
  /// Another collective call of the plan, under its policy for errors. `work` may block in MPI: it
  /// begins when all ranks are in the call.
  template <class Check, class Work>
  void call(CallWatch::Call kind, const char* name, Check&& check, Work&& work) {
    policy_.call([&] { return text(name); }, check,
                 [&] {
                   meet(resources_.watch().announce(kind, 0), fmt::format("begin {}", name));
                   const WatchedStep waiting(stalls_, fmt::format("finish {}", name));
                   work();
                 });
  }
  /// Throws unless elements of that type are in the array at that end.
  void check_type(Side side, ElementType type, const std::string& what) const;
  bool has_failed() const { return policy_.has_failed(); }
  /// Collective: adds up over the ranks.
  void sum_over_ranks(std::span<double> values);
  /// See Plan::agree and Plan::refuse.
  void agree(const std::function<void()>& work);
  void refuse(const Error& mistake);

  /// The plan's own array at one end, which lives as long as the session. Collective on first use,
  /// when all ranks throw if one asks for elements of a wrong type.
  RawArray own_array(Side side, ElementType type);
  Device& device() const { return resources_.device(); }
  /// Not collective: no call of this plan follows on this rank. On the host it frees the memory
  /// that no other rank uses.
  void retire();
  /// Throws if the plan is for another device than the host.
  void require_host(const std::string& what) const;
  /// See Plan::set_stream.
  void set_stream(void* stream) {
    require_nothing_in_flight("set_stream");
    device().synchronize();
    device().use_stream(stream);
  }
  /// See Plan::record and Plan::trace.
  void record(bool on);
  Trace trace() const { return recorder_ ? recorder_->read() : Trace(); }

  std::string describe() const;
  std::size_t workspace_bytes() const;
  std::size_t tile_bytes() const;
  const RouteRequest& request() const { return plan_.request; }
  const Routes& routes() const { return plan_.routes; }
  const Communicator& communicator() const { return resources_.job().communicator; }
  const Resources& resources() const { return resources_; }
  int rank() const { return communicator().rank(); }
  ElementType type_of(Side side) const { return {element(side).precision, element(side).real}; }
  /// Bytes of this rank's part of the array at one end, gaps included.
  std::size_t bytes_of(Side side) const;
  const Program& forward_program() const;

 private:
  /// One direction: the programs for the arrays it may be given, and the plan's own array at its
  /// end, which lies in a window where peers can deliver into it.
  struct Way {
    std::unique_ptr<Program> to_any;      // results go to any array
    std::unique_ptr<Program> to_own;      // peers deliver into the plan's array
    std::optional<ProgramPlan> delivery;  // what to_own will be, where it is planned already
    std::shared_ptr<SharedSlot> window;
    Memory memory;
    std::byte* own_array() const { return window ? window->own() : memory.data(); }
  };
  /// The program of `apply` and the memory that the plan's other programs do not have.
  struct RoundTrip {
    std::unique_ptr<Program> program;
    Memory arena;
    std::vector<std::shared_ptr<SharedSlot>> windows;
  };
  /// What `apply` with several inputs, or on a device, needs: the spectra of all fields, and the
  /// lines through them.
  struct Spectra {
    std::vector<Memory> fields;
    std::unique_ptr<SpectrumSweep> sweep;
    std::unique_ptr<DeviceSpectrum> on_device;  // instead of `sweep`
  };

  void require_thread_level() const;
  void require_features() const;
  void warn_of_too_many_threads() const;
  void make_programs();
  RawArray made_own_array(Side side);
  void make_own_array(Direction direction, Way& way);
  void meet(std::uint64_t call, const std::string& step);
  void together(std::uint64_t call, const std::string& step, const std::function<void()>& work);
  Way& way(Direction direction) { return ways_[direction == Direction::forward ? 0 : 1]; }
  const Way& way(Direction direction) const {
    return ways_[direction == Direction::forward ? 0 : 1];
  }
  const Route& route(Direction direction) const {
    return direction == Direction::forward ? routes().forward : routes().backward;
  }
  const Layout& layout(Side side) const {
    return side == Side::input ? routes().input : routes().output;
  }
  const Element& element(Side side) const {
    return side == Side::input ? routes().input_element : routes().output_element;
  }
  ArrayMemory memory(Side side) const;
  ArrayEnd end_of(Side side, std::span<const RawArray> fields) const;
  bool delivers(const TransformCall& call) const;
  Program* program_for(const TransformCall& call) const;
  void check(const TransformCall& call, const std::string& name) const;
  void check(const ApplyCall& call) const;
  void check(const FieldsCall& call) const;
  void check_free(int field, const std::string& name) const;
  std::string text(const TransformCall& call, const std::string& name) const;
  std::string text(const std::string& name) const;
  std::uint64_t announce(const TransformCall& call);
  Program& bind(const TransformCall& call, int first_field, bool overlapped);
  void execute(const TransformCall& call, std::uint64_t number);
  void execute(const ApplyCall& call, std::uint64_t number);
  void execute_on_device(const ApplyCall& call, std::uint64_t number);
  void prepare_apply();
  bool is_on_host() const;
  void require_spectra() const;
  template <class Function>
  const ReadyOperator* require_ready(const Function& function) const;
  void prepare_spectra(std::size_t fields);
  void prepare_operators(const std::vector<Waves>& wanted, std::uint64_t number);
  void transform_spectra(Direction direction, std::span<const RawArray> in,
                         std::span<const RawArray> out, std::uint64_t number);
  const void* staged(const Program& program, std::size_t field, const void* in, const void* out,
                     std::size_t bytes);
  bool asks_again() const;
  /// With Options::verify: all ranks compare what they saw of fields first to first + count - 1.
  void certify(Run& run, Program& program, int first, int count, const char* name);
  void wait_for(Run& run, std::uint64_t call);
  std::string stall_text(const Wait& wait) const;
  void advance_others() const;
  void answer_peers() const;
  void require_nothing_in_flight(const char* what) const;

  PlannedRequest plan_;
  Resources resources_;
  StallWatch stalls_;
  CallPolicy policy_;
  std::array<Way, 2> ways_;
  RoundTrip round_trip_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Progress> progress_;  // behind the programs that it tests
  Flights flights_;
  std::vector<Communicator> certifying_;  // by field: transforms in flight overtake each other
  Spectra spectra_;
  DeviceCopies device_copies_{resources_.device()};
  std::vector<Memory> staging_;  // by field: copies of inputs that a pass by itself would
                                 // overwrite in place
};

}  // namespace weft
