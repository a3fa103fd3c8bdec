// One copy is long enough to be one sample.
#include "net/memory.hpp"

#include "net/sampling.hpp"

namespace weft::net {
namespace {

bench::Problem problem_of(const Job& job) {
  bench::Problem problem;
  problem.communicator = job.communicator;
  problem.input_shape = Shape{1};
  return problem;
}

}  // namespace

Memory::Memory(const Job& job) : job_(job), copy_(bench::copy_candidate(problem_of(job))) {
  copy_->run();
}

void Memory::take() {
  samples_.seconds.push_back(seconds_per_step(job_.communicator, 1, [this] { copy_->run(); }));
}

}  // namespace weft::net
