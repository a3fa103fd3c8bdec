// What the cost model says of a job's candidates: it joins measured figures with the network where
// that is described. Making the routes takes most of the time, so candidates share them.
#pragma once

#include <optional>
#include <vector>

#include "session/job_network.hpp"
#include "tune/candidates.hpp"
#include "tune/model.hpp"

namespace weft {

class JobModel {
 public:
  /// Collective.
  explicit JobModel(const Job& job);
  /// What the exchanges of a route put on the links, whatever methods move them.
  LinkCharges charges(const Route& route) const;
  double seconds(const Route& route, const LinkCharges& charges) const {
    return predict(route, figures_, charges);
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
