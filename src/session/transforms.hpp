// Transforms of a plan, blocking and in flight: from a checked call to a run of a program.
#pragma once

#include <functional>
#include <memory>
#include <vector>
#include <weft/trace.hpp>

#include "session/calls.hpp"
#include "session/ways.hpp"

namespace weft {

class Transforms {
 public:
  /// All of them must outlive it. Collective with Options::verify.
  Transforms(const Options& options, const PlanEnds& ends, const Resources& resources, Ways& ways,
             Calls& calls, Flights& flights, Progress& progress);

  /// Transforms the fields and returns when they are done.
  void run(const TransformCall& call);
  /// Starts a transform of one field and goes as far as it can without waiting. It is over when
  /// `test` or `wait` of the ticket has said so.
  std::uint64_t start(const TransformCall& call);
  bool test(std::uint64_t ticket);
  void wait(std::uint64_t ticket);
  /// Waits for all started transforms, and for the reductions that compare calls. Afterwards no
  /// work of this plan is in flight in MPI.
  void finish_flights();
  /// Performs the actions of a forward that are `wanted`, on the present contents of the
  /// buffers. Collective.
  void run_part(const std::function<bool(const Action&)>& wanted);

  /// Transforms as a part of call `number`, whose arrays have been checked.
  void execute(const TransformCall& call, std::uint64_t number);
  /// With Options::verify: all ranks compare their sums of fields first to first + count - 1.
  void certify(Run& run, Program& program, int first, int count, const char* name);
  /// Whether exchanges are polled, so that they do not block in MPI. They are if other work goes on
  /// meanwhile, or if a waiting rank must see that another has left the call with an error.
  bool asks_again() const;
  void require_nothing_in_flight(const char* what) const;

  /// See Plan::record and Plan::trace.
  void record(bool on);
  Trace trace() const { return recorder_ ? recorder_->read() : Trace(); }

 private:
  void check(const TransformCall& call, const std::string& name) const;
  void check_free(int field, const std::string& name) const;
  std::string text(const TransformCall& call, const std::string& name) const;
  std::uint64_t announce(const TransformCall& call);
  Program& bind(const TransformCall& call, int first_field, bool overlapped);

  const Options& options_;
  const PlanEnds& ends_;
  Device& device_;
  Ways& ways_;
  Calls& calls_;
  Flights& flights_;
  Progress& progress_;
  std::unique_ptr<Recorder> recorder_;
  std::vector<Communicator> certifying_;  // by field: transforms in flight overtake each other
};

}  // namespace weft
