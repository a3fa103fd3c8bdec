// Blocks of transforms, A B A B: long enough that each candidate warms its own caches, short enough
// that slow phases of the machine affect all of them.
#include "bench/measure.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <limits>

#include "bench/product_field.hpp"

namespace weft::bench {
namespace {

// After two rounds, variants of a rival are dropped if their fastest run is slower by this factor
// than the fastest run of all its variants. (Fastest runs, since medians are still noisy by then.)
constexpr double hopeless = 1.25;
constexpr int rounds_before_shortlist = 2;

double time_between_barriers(MPI_Comm communicator, const std::function<void()>& work) {
  MPI_Barrier(communicator);
  const double start = MPI_Wtime();
  work();
  MPI_Barrier(communicator);
  return largest(MPI_Wtime() - start, communicator);
}

ProcessorTime processor_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {seconds(usage.ru_utime), seconds(usage.ru_stime)};
}

/// Adds this rank's time; the caller takes the sum over ranks and the mean over transforms at the
/// end.
void add_processor_time(const ProcessorTime& since, ProcessorTime& total) {
  const ProcessorTime now = processor_time();
  total.user += now.user - since.user;
  total.system += now.system - since.system;
}

void finish_processor_time(Contestant& contestant, MPI_Comm communicator) {
  for (double* seconds : {&contestant.processor.user, &contestant.processor.system}) {
    *seconds = sum(*seconds, communicator) /
               static_cast<double>(std::max<std::size_t>(1, contestant.samples.seconds.size()));
  }
}

void run_block(const Problem& problem, Contestant& contestant) {
  ProductField::input(problem).fill(contestant.candidate->input());
  contestant.candidate->prepare();
  ProcessorTime since;
  for (int number = 0; number < block_length; ++number) {
    const double seconds =
        time_between_barriers(problem.communicator, [&] { contestant.candidate->run(); });
    if (number > 0)
      contestant.samples.seconds.push_back(seconds / contestant.candidate->transforms());
    if (number == 0) since = processor_time();
  }
  add_processor_time(since, contestant.processor);
  if (!contestant.without_communication) return;
  Samples block;
  for (int number = 0; number < block_length; ++number) {
    const double seconds =
        time_between_barriers(problem.communicator, contestant.without_communication);
    if (number > 0) block.seconds.push_back(seconds);
  }
  contestant.samples_without_communication.seconds.push_back(block.median());
}

// Times are the same on all ranks, so all ranks decide alike.
bool is_hopeless(const Contestant& contestant, const std::vector<Contestant>& all) {
  if (contestant.shortlist < 0) return false;
  double best = std::numeric_limits<double>::infinity();
  for (const Contestant& other : all)
    if (other.shortlist == contestant.shortlist) best = std::min(best, other.samples.minimum());
  return contestant.samples.minimum() > hopeless * best;
}

}  // namespace

double median_of_fastest(const Samples& samples) {
  Samples fastest;
  for (auto block = samples.seconds.begin(); block != samples.seconds.end();
       block += counted_per_block)
    fastest.seconds.push_back(*std::min_element(block, block + counted_per_block));
  return fastest.median();
}

void measure(const Problem& problem, std::vector<Contestant>& contestants, int rounds,
             const std::function<void()>& advance) {
  std::vector<bool> resting(contestants.size(), false);
  for (int round = 0; round < rounds; ++round) {
    if (round == rounds_before_shortlist)
      for (std::size_t number = 0; number < contestants.size(); ++number)
        resting[number] = is_hopeless(contestants[number], contestants);
    for (std::size_t number = 0; number < contestants.size(); ++number) {
      if (!resting[number]) run_block(problem, contestants[number]);
      advance();
    }
  }
  for (Contestant& contestant : contestants)
    finish_processor_time(contestant, problem.communicator);
}

}  // namespace weft::bench
