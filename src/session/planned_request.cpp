// Routes are made on every rank for itself; a mistake of one is thrown on all.
#include "session/planned_request.hpp"

namespace weft {

PlannedRequest planned(const Job& job, RouteRequest request, const Choice& choice) {
  PlannedRequest plan{std::move(request), {}, choice};
  agree(job.communicator,
        [&] { plan.routes = make_routes(plan.request, job.topology, job.caches); });
  return plan;
}

}  // namespace weft
