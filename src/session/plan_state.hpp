// Everything a plan owns: routes, memory, windows, communicators and the programs bound to them.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <weft/plan.hpp>

#include "exchange/shared_slot.hpp"
#include "machine/aligned_buffer.hpp"
#include "mpi/communicator.hpp"
#include "plan/choice.hpp"
#include "plan/program.hpp"
#include "session/job.hpp"
#include "session/run.hpp"

namespace weft {

class PlanState {
 public:
  /// For a request that check_request has passed, with nothing left to choose.
  PlanState(const Job& job, RouteRequest request, Choice choice = {});

  void run(bool forward, const std::vector<const void*>& in, const std::vector<void*>& out);
  /// Starts a transform and goes as far as it can without waiting. It is over when `test` or `wait`
  /// has said so.
  std::uint64_t start(bool forward, const void* in, void* out);
  bool test(std::uint64_t ticket);
  void wait(std::uint64_t ticket);
  /// Collective on first use, when it takes the memory that apply needs.
  void prepare_apply();
  /// From a physical array to the spectrum, through functions[i] and back to outs[i].
  void apply(const void* in, const std::vector<void*>& outs,
             const std::vector<RawLineFunction>& functions);
  /// The relative L2 distance of a spectrum of random data from what going back and forth again
  /// makes of it. Collective; overwrites the plan's own arrays.
  double trial_error();
  /// Does the work of a transform. Where it throws, the other ranks are in the middle of theirs and
  /// would wait for ever: the job ends with the message. A rank alone just gets the exception.
  void abort_on_error(const std::function<void()>& work) const;
  /// The memory of the plan's own input or output array. Collective on first use.
  std::shared_ptr<void> own_array(bool is_input);
  std::string describe() const;
  std::size_t workspace_bytes() const;
  std::size_t tile_bytes() const;
  /// See Plan::part.
  std::function<void()> passes_alone() const;
  std::function<void()> exchanges_alone();
  /// See Plan::record and Plan::trace.
  void record(bool on);
  Trace trace() const { return recorder_ ? recorder_->read() : Trace(); }

  const RouteRequest& request() const { return request_; }
  const Routes& routes() const { return routes_; }
  const Communicator& communicator() const { return communicator_; }
  int rank() const { return communicator_.rank(); }
  std::size_t input_bytes() const;
  std::size_t output_bytes() const;
  const Program& forward_program() const;
  Program& forward_program() {
    return const_cast<Program&>(std::as_const(*this).forward_program());
  }

 private:
  /// One direction: its route, and the programs for the arrays it may be given.
  struct Direction {
    const Route* route = nullptr;
    std::unique_ptr<Program> to_any;  // results go to any array
    std::unique_ptr<Program> to_own;  // peers deliver into the plan's array
  };
  /// The program of `apply` and the memory that the plan's other programs have not got.
  struct RoundTrip {
    std::unique_ptr<Program> program;
    AlignedBuffer arena;
    std::vector<std::shared_ptr<SharedSlot>> windows;
  };
  /// The plan's array at one end; in a window where peers can deliver into it.
  struct OwnArray {
    std::shared_ptr<SharedSlot> window;
    std::shared_ptr<AlignedBuffer> memory;
    std::byte* data() const { return window ? window->own() : memory ? memory->data() : nullptr; }
  };

  void require_thread_level() const;
  void connect();
  void allocate();
  void make_programs();
  std::shared_ptr<SharedSlot> make_slot(std::size_t bytes, bool open);
  ProgramContext context(int fields) const;
  std::shared_ptr<SharedSlot> window_for(std::size_t number, std::size_t bytes);
  const void* staged(const Program& program, std::size_t field, const void* in, const void* out,
                     std::size_t bytes);
  Direction& direction(bool forward) { return directions_[forward ? 0 : 1]; }
  const Direction& direction(bool forward) const { return directions_[forward ? 0 : 1]; }
  OwnArray& array_of(bool is_input) { return arrays_[is_input ? 0 : 1]; }
  void check_arrays(bool forward, const std::vector<const void*>& in,
                    const std::vector<void*>& out) const;
  /// The program for arrays of that kind, bound to them. `overlapped`: whether anything else may
  /// happen while its blocks are on their way.
  Program& bind(bool forward, const std::vector<const void*>& in, const std::vector<void*>& out,
                int first_field, bool overlapped);
  bool delivers(bool forward, const void* in, const void* out) const;
  void wait_for(Run& run) const;
  void go_on() const;
  /// Whether something of a single transform runs while its blocks travel.
  bool is_chunked() const;
  void require_nothing_in_flight(const char* what) const;
  Run* find_run(std::uint64_t ticket);
  void forget(std::uint64_t ticket);
  void announce(int variant);
  void watch_peers() const;
  void answer_peers() const;

  RouteRequest request_;
  Choice choice_;
  Routes routes_;
  Communicator communicator_;
  Communicator node_;
  Topology topology_;
  Caches caches_;
  std::vector<std::vector<Communicator>> groups_;  // by exchange of forward, and field
  std::vector<AlignedBuffer> arenas_;              // by field
  std::vector<std::vector<std::shared_ptr<SharedSlot>>> windows_;  // by field and window
  std::unique_ptr<SharedSegment>
      calls_;  // which call each rank is in, to tell a mix-up from a wait
  std::uint64_t call_ = 0;
  std::array<OwnArray, 2> arrays_;
  std::array<Direction, 2> directions_;
  RoundTrip round_trip_;
  /// A transform that was started and has not been seen to end.
  struct InFlight {
    std::uint64_t ticket;
    int field;
    std::unique_ptr<Run> run;
  };
  std::uint64_t tickets_ = 0;
  int next_field_ = 0;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Progress> progress_;  // behind the programs that it tests
  std::vector<InFlight> in_flight_;
  std::vector<AlignedBuffer> staging_;  // by field: copies of inputs that a lone pass would
                                        // overwrite in place
};

}  // namespace weft
