// Sleeps in simulated time. SimGrid's ranks take turns in one thread, and simulated time stands
// still until all of them wait: a rank that only tried again would try forever. Short steps cost
// switches between ranks, long ones make the simulation coarse; these are 2 % of the wait so far.
#include <simgrid/actor.h>

#include <algorithm>
#include <cmath>

#include "machine/retries.hpp"

namespace weft {
namespace {

constexpr double shortest_step = 2e-7;  // seconds, less than the latency of most networks
constexpr double growth = 1.02;

}  // namespace

void Retries::pause() {
  // Steps are equal until one of them is 2 % of their sum; then they grow.
  const double equal_steps = 1 / (growth - 1);
  const double grown = std::max(0.0, static_cast<double>(pauses_++) - equal_steps);
  sg_actor_sleep_for(shortest_step * std::pow(growth, grown));
}

}  // namespace weft
