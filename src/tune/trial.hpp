// Trials of a plan: how wrong its results are, and what its parts take.
#pragma once

#include <functional>
#include <memory>

#include "session/session.hpp"

namespace weft {

/// The relative L2 distance of a spectrum of random data from what going back and forth again makes
/// of it. Collective; overwrites the plan's own arrays.
double trial_error(Session& session);

/// A plan with the wire that sends least within the request's wire_error; with wire=exact where
/// none is. Collective.
std::unique_ptr<Session> make_session(const Job& job, PlannedRequest plan);

/// See Plan::part. The session must outlive them.
std::function<void()> passes_alone(const Session& session);
std::function<void()> exchanges_alone(Session& session);

}  // namespace weft
