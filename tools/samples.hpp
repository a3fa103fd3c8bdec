// Repeated times: how they are measured and reported. A time is that of the slowest rank, so that
// all ranks see the same value and decide alike.
#pragma once

#include <mpi.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

namespace weft::command {

using Json = nlohmann::ordered_json;

using Step = std::function<void()>;

/// Seconds, in the order in which they were taken.
struct Samples {
  std::vector<double> seconds = {};
  double median() const;
  double minimum() const;
  /// Takes one more sample: the mean seconds of `steps` steps. Collective.
  void take(MPI_Comm communicator, int steps, const Step& step);
};

/// Median, minimum and all samples.
void to_json(Json& json, const Samples& samples);

/// Seconds per step, from a barrier on, of the given number of steps without barriers between them.
/// Collective.
double seconds_per_step(MPI_Comm communicator, int steps, const Step& step);

/// Runs the step to warm up, and finds how many of it make a sample that the clock can time; the
/// same on all ranks. Collective.
int steps_for(MPI_Comm communicator, const Step& step);

/// A step that is timed repeatedly, as often in each sample as the clock's resolution requires. All
/// is collective.
class Timed {
 public:
  Timed(MPI_Comm communicator, Step step)
      : communicator_(communicator),
        step_(std::move(step)),
        steps_(steps_for(communicator, step_)) {}
  void take() { samples_.take(communicator_, steps_, step_); }
  const Samples& samples() const { return samples_; }

 private:
  MPI_Comm communicator_;
  Step step_;
  int steps_;
  Samples samples_;
};

/// Calls each in turn, round after round, so that slow phases of the machine affect all of them; a
/// progress bar shows how far it is. Collective.
void take_turns(MPI_Comm communicator, int rounds, const std::vector<Step>& turns);

}  // namespace weft::command
