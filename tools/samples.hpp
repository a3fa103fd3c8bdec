// How often steps are repeated for their times, in which order, and how times are reported.
#pragma once

#include <mpi.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "tune/samples.hpp"

namespace weft {
namespace command {
using Json = nlohmann::ordered_json;
using Step = Work;
}  // namespace command

/// Median, minimum and all samples.
void to_json(command::Json& json, const Samples& samples);

}  // namespace weft

namespace weft::command {

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
