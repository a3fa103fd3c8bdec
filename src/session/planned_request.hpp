// A request from which a session can be made: checked on all ranks, every option settled.
#pragma once

#include "job/job.hpp"
#include "plan/choice.hpp"
#include "plan/route.hpp"

namespace weft {

struct PlannedRequest {
  RouteRequest request;
  Routes routes;
  Choice choice = {};
  /// The caller left the exchange open: if shared memory is too small, another method may serve.
  bool may_avoid_windows = false;
};

/// Collective: the routes of a request that check_request has passed.
PlannedRequest planned(const Job& job, RouteRequest request, const Choice& choice = {});

}  // namespace weft
