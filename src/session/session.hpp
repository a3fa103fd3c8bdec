// A plan alive: its programs bound to memory and communicators, and what is in flight.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>
#include <weft/plan.hpp>

#include "plan/choice.hpp"
#include "session/array_checks.hpp"
#include "session/flights.hpp"
#include "session/progress.hpp"
#include "session/resources.hpp"

namespace weft {

/// A request that has been checked, with nothing left to choose, and the routes it leads to.
struct PlannedRequest {
  RouteRequest request;
  Routes routes;
  Choice choice = {};
};

/// The routes of a request that check_request has passed.
PlannedRequest planned(const Job& job, RouteRequest request, const Choice& choice = {});

class Session {
 public:
  /// Collective.
  Session(const Job& job, PlannedRequest plan);

  /// Transforms in.size() fields, multiplies the results by `scale` and returns when they are done.
  void run(Direction direction, std::span<const void* const> in, std::span<void* const> out,
           double scale);
  /// Starts a transform and goes as far as it can without waiting. It is over when `test` or `wait`
  /// of the ticket has said so.
  std::uint64_t start(Direction direction, const void* in, void* out, double scale);
  bool test(std::uint64_t ticket);
  void wait(std::uint64_t ticket);
  /// Collective on first use, when it takes the memory that apply needs.
  void prepare_apply();
  /// From a physical array to the spectrum, through functions[i] and back to outs[i].
  void apply(const void* in, std::span<void* const> outs,
             const std::vector<RawLineFunction>& functions);
  /// Those actions of a forward of whatever the buffers hold. Collective.
  void run_part(const std::function<bool(const Action&)>& wanted);

  /// Does the work of a transform. If it throws, the other ranks are in the middle of theirs and
  /// would wait forever, so the job is aborted with the message. With a single rank the exception
  /// is passed on.
  void abort_on_error(const std::function<void()>& work) const;
  /// The memory of the plan's own array at one end. Collective on first use.
  std::shared_ptr<void> own_array(Side side);
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
  /// Of this rank's part of the array at one end, gaps included.
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
    std::shared_ptr<AlignedBuffer> memory;
    std::byte* own_array() const {
      return window ? window->own() : memory ? memory->data() : nullptr;
    }
  };
  /// The program of `apply` and the memory that the plan's other programs do not have.
  struct RoundTrip {
    std::unique_ptr<Program> program;
    AlignedBuffer arena;
    std::vector<std::shared_ptr<SharedSlot>> windows;
  };

  void require_thread_level() const;
  void make_programs();
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
  bool delivers(Direction direction, const void* in, const void* out) const;
  Program& bind(Direction direction, std::span<const void* const> in, std::span<void* const> out,
                double scale, int first_field, bool overlapped);
  const void* staged(const Program& program, std::size_t field, const void* in, const void* out,
                     std::size_t bytes);
  bool is_chunked() const;
  void wait_for(Run& run) const;
  void advance_others() const;
  void answer_peers() const;
  void require_nothing_in_flight(const char* what) const;

  PlannedRequest plan_;
  Resources resources_;
  std::array<Way, 2> ways_;
  RoundTrip round_trip_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Progress> progress_;  // behind the programs that it tests
  Flights flights_;
  std::vector<AlignedBuffer> staging_;  // by field: copies of inputs that a pass by itself would
                                        // overwrite in place
};

}  // namespace weft
