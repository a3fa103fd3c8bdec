// Memory bandwidth: all ranks of the job copy at once, as for the lower bound of `weft bench`.
#pragma once

#include <memory>

#include "bench/copy_candidate.hpp"
#include "net/measurement.hpp"

namespace weft::net {

class Memory {
 public:
  /// Collective, as is `take`, which adds a sample. One copy is long enough for a sample.
  explicit Memory(const Job& job) : job_(job) {
    bench::Problem problem;
    problem.communicator = job.communicator;
    problem.input_shape = Shape{1};
    copy_ = bench::copy_candidate(problem);
    copy_->run();
  }
  void take() {
    samples_.seconds.push_back(seconds_per_step(job_.communicator, 1, [this] { copy_->run(); }));
  }
  /// Bytes read and written per second by all ranks together.
  double bandwidth() const { return copy_->bytes() / samples_.median(); }
  const Samples& samples() const { return samples_; }

 private:
  const Job& job_;
  std::unique_ptr<bench::CopyCandidate> copy_;
  Samples samples_;
};

}  // namespace weft::net
