// Trials of a plan: the error of its results and the time of its parts, at the cost of running it.
#pragma once

#include <functional>
#include <memory>

#include "session/session.hpp"

namespace weft {

/// Transforms random data forward, then backward and forward again, and returns the relative L2
/// distance between the two spectra. Collective; overwrites the plan's own arrays.
double trial_error(Session& session);

/// A plan with the wire format that sends the fewest bytes while its error stays within the
/// request's wire_error, or with wire=exact if there is none. If shared memory is too small and the
/// plan may avoid it, takes a method that needs none. With verify, the plan has passed its
/// self_test. Collective.
std::unique_ptr<Session> make_session(const Job& job, PlannedRequest plan);

/// See Plan::part. The session must outlive the returned functions.
std::function<void()> passes_alone(const Session& session);
std::function<void()> exchanges_alone(Session& session);

}  // namespace weft
