// The calls that all ranks of a plan make together: handles their errors, detects ranks in
// different calls, and reports where this rank waits for the others.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <span>
#include <string>

#include "call/call_policy.hpp"
#include "run/flights.hpp"
#include "run/progress.hpp"
#include "session/resources.hpp"

namespace weft {

class Calls : public CallPolicy {
 public:
  using Kind = CallWatch::Call;

  /// All of them must outlive it. While this rank waits, it lets the `flights` go on.
  Calls(Resources& resources, const Options& options, const Flights& flights, Progress& progress);

  /// A call whose work may block in MPI: the work begins when all ranks are in the call.
  template <class Check, class Work>
  void blocking_call(Kind kind, const char* name, Check&& check, Work&& work) {
    call([&] { return name; }, check,
         [&] {
           meet(announce(kind, 0), fmt::format("begin {}", name));
           const WatchedStep waiting(stalls(), fmt::format("finish {}", name));
           work();
         });
  }

  /// Within a call: tells the other ranks the kind of this call, and returns its number. `detail`:
  /// a number that must be the same on all ranks, of which 16 bits count.
  std::uint64_t announce(Kind kind, std::uint64_t detail) { return watch().announce(kind, detail); }
  /// Throws if another rank has entered a different call with this number.
  void check(std::uint64_t number) const { resources_.watch().check(number); }
  /// Does work of this call that blocks in MPI and whose errors are the same on all ranks.
  void together(std::uint64_t number, const std::string& step, const std::function<void()>& work);
  /// Waits for the end of a run of this call.
  void wait_for(Run& run, std::uint64_t number);
  /// Lets transforms in flight go on: ranks may wait for different ones, and each of them needs
  /// this rank's part.
  void advance_others() const;
  /// Ends the reductions that compare calls. Must be called before MPI_Finalize.
  void finish() { watch().finish(); }

  /// Collective: adds up over the ranks.
  void sum_over_ranks(std::span<double> values);
  /// See Plan::agree and Plan::refuse.
  void agree(const std::function<void()>& work);
  void refuse(const Error& mistake);

 private:
  CallWatch& watch() { return resources_.watch(); }
  const Communicator& communicator() const { return resources_.job().communicator; }
  void meet(std::uint64_t number, const std::string& step);
  std::string stall_text(const Wait& wait) const;
  void answer_peers() const;

  Resources& resources_;
  const Flights& flights_;
  Progress& progress_;
};

}  // namespace weft
