// What the cost model says of a job's candidates: it joins measured figures with the network where
// that is described. Making the routes takes most of the time, so candidates share them.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "job/job_network.hpp"
#include "tune/candidates.hpp"
#include "tune/model.hpp"

namespace weft {

/// Loads of exchanges that have been found for a layout, by number and whether there is one partner
/// at a time: all methods that do so take their partners in the same order.
using KnownLoads = std::map<std::pair<std::size_t, bool>, ExchangeLoad>;

class JobModel {
 public:
  /// Collective. Measures, or takes what is known.
  explicit JobModel(const Job& job);
  JobModel(Figures figures, std::optional<JobNetwork> network);
  /// Predicted seconds of one transform. Finding loads takes longest: `known` has those of this
  /// layout that earlier calls have found.
  double seconds(const Route& route, KnownLoads& known) const;
  double seconds(const Route& route) const {
    KnownLoads none;
    return seconds(route, none);
  }

 private:
  Figures figures_;
  std::optional<JobNetwork> network_;
  LinkCharges without_exchanges_;
};

/// Those candidates that can be planned, the fastest by the model first.
std::vector<Candidate> ranked(const Job& job, const RouteRequest& request, const JobModel& model,
                              const std::vector<Options>& candidates);

RouteRequest with(RouteRequest request, const Options& options);

}  // namespace weft
