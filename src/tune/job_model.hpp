// Applies the cost model to a job's candidates, with measured figures and the network if it is
// described. Making the routes takes most of the time, so candidates share them.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "job/job_network.hpp"
#include "tune/candidates.hpp"
#include "tune/model.hpp"

namespace weft {

/// The known loads of a layout's exchanges, by number and by whether a rank has one partner at a
/// time. All methods with one partner at a time take partners in the same order.
using KnownLoads = std::map<std::pair<std::size_t, bool>, ExchangeLoad>;

class JobModel {
 public:
  /// Collective. Measures the figures, or takes known ones.
  explicit JobModel(const Job& job);
  JobModel(Figures figures, std::optional<JobNetwork> network);
  /// Predicted seconds of one transform. Finding loads takes longest: `known` keeps the loads of
  /// this layout from earlier calls.
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

/// The candidates that can be planned, the fastest by the model first.
std::vector<Candidate> ranked(const Job& job, const RouteRequest& request, const JobModel& model,
                              const std::vector<Options>& candidates);

RouteRequest with(RouteRequest request, const Options& options);

}  // namespace weft
