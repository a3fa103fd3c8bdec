// Steps too short for the clock are repeated within a sample; all samples are kept, so that users
// can see how they spread.
#include "samples.hpp"

#include <algorithm>

#include "progress.hpp"

namespace weft::command {
namespace {

// Seconds: far longer than errors of a clock and bursts of a limited link, and short enough to take
// many turns.
constexpr double long_enough = 5e-3;
constexpr int most_steps = 1000;

}  // namespace

int steps_for(MPI_Comm communicator, const Step& step) {
  step();
  int steps = 1;
  while (steps < most_steps) {
    const double seconds = steps * seconds_per_step(communicator, steps, step);
    if (seconds >= long_enough) break;
    steps = std::min(most_steps, seconds < long_enough / 8 ? 8 * steps : 2 * steps);
  }
  return steps;
}

void take_turns(MPI_Comm communicator, int rounds, const std::vector<Step>& turns) {
  Progress progress("measuring", rounds * std::ssize(turns), communicator);
  for (int round = 0; round < rounds; ++round)
    for (const Step& turn : turns) turn(), progress.advance();
}

}  // namespace weft::command

namespace weft {

void to_json(command::Json& json, const Samples& samples) {
  json = {{"median", samples.median()}, {"min", samples.minimum()}, {"samples", samples.seconds}};
}

}  // namespace weft
