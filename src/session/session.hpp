// A plan at run time: its request, its programs and memory, and the calls that use them.
#pragma once

#include "run/flights.hpp"
#include "run/progress.hpp"
#include "session/round_trips.hpp"

namespace weft {

/// Bytes of memory that a plan holds besides the caller's arrays.
struct Workspace {
  std::size_t bytes = 0;
  std::size_t tile_bytes = 0;  ///< the part of `bytes` in passes' tiles
};

class Session {
 public:
  /// Collective.
  Session(const Job& job, PlannedRequest plan);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const PlannedRequest& plan() const { return plan_; }
  const PlanEnds& ends() const { return ends_; }
  const Resources& resources() const { return resources_; }
  const Ways& ways() const { return ways_; }
  Calls& calls() { return calls_; }
  Transforms& transforms() { return transforms_; }
  RoundTrips& round_trips() { return round_trips_; }

  /// The plan's own array at one end, which lives as long as the session. Collective on first use:
  /// if one rank asks for elements of a wrong type, all ranks throw.
  RawArray own_array(Side side, ElementType type);
  /// See Plan::set_stream.
  void set_stream(void* stream);
  /// Not collective: no call of this plan follows on this rank. On the host it frees the memory
  /// that no other rank uses.
  void retire();

  std::string describe() const;
  Workspace workspace() const;

 private:
  PlannedRequest plan_;
  Resources resources_;
  PlanEnds ends_;
  Progress progress_;
  Ways ways_;
  Calls calls_;
  Transforms transforms_;
  RoundTrips round_trips_;
  Flights flights_;  // destroyed first: runs refer to programs, progress and recorder
};

}  // namespace weft
