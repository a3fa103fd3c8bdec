// Blocks of transforms, A B A B: long enough that each candidate warms its own caches, short enough
// that slow phases of the machine affect all of them.
#include "bench/measure.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "bench/product_field.hpp"

namespace weft::bench {
namespace {

// After two rounds, variants of a rival are dropped if their fastest run is slower by this factor
// than the fastest run of all its variants. (Fastest runs, since medians are still noisy by then.)
constexpr double hopeless = 1.25;
constexpr int samples_before_shortlist = 2 * counted_per_block;

ProcessorTime processor_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {seconds(usage.ru_utime), seconds(usage.ru_stime)};
}

/// The sum over ranks, and the mean over transforms.
void finish(Times& times, MPI_Comm communicator) {
  const auto transforms = static_cast<double>(times.samples.seconds.size());
  for (double* seconds : {&times.processor.user, &times.processor.system})
    *seconds = sum(*seconds, communicator) / transforms;
}

void run_block(MPI_Comm communicator, const Contestant& contestant) {
  Times& times = *contestant.times;
  if (contestant.prepare) contestant.prepare();
  contestant.run();
  const ProcessorTime since = processor_time();
  for (int number = 0; number < counted_per_block; ++number) {
    times.samples.take(communicator, 1, contestant.run);
    times.samples.seconds.back() /= contestant.transforms;
  }
  const ProcessorTime now = processor_time();
  times.processor.user += now.user - since.user;
  times.processor.system += now.system - since.system;
  if (!contestant.without_communication) return;
  contestant.without_communication();
  Samples block;
  for (int number = 0; number < counted_per_block; ++number)
    block.take(communicator, 1, contestant.without_communication);
  times.samples_without_communication.seconds.push_back(block.median());
}

// Times are the same on all ranks, so all ranks decide alike.
bool is_hopeless(const Contestant& contestant, const std::vector<Contestant>& all) {
  const Samples& mine = contestant.times->samples;
  if (contestant.shortlist < 0 || std::ssize(mine.seconds) < samples_before_shortlist) return false;
  double best = mine.minimum();
  for (const Contestant& other : all)
    if (other.shortlist == contestant.shortlist)
      best = std::min(best, other.times->samples.minimum());
  return mine.minimum() > hopeless * best;
}

}  // namespace

double median_of_fastest(const Samples& samples) {
  Samples fastest;
  for (auto block = samples.seconds.begin(); block != samples.seconds.end();
       block += counted_per_block)
    fastest.seconds.push_back(*std::min_element(block, block + counted_per_block));
  return fastest.median();
}

Contestant contestant_of(const Problem& problem, Candidate& candidate, Times& times) {
  return {&times, [&candidate] { candidate.run(); },
          [&problem, &candidate] {
            ProductField::input(problem).fill(candidate.input());
            candidate.prepare();
          },
          candidate.transforms()};
}

void measure(MPI_Comm communicator, const std::vector<Contestant>& contestants, int rounds) {
  std::vector<Step> turns;
  for (const Contestant& contestant : contestants)
    turns.emplace_back([&] {
      if (!is_hopeless(contestant, contestants)) run_block(communicator, contestant);
    });
  take_turns(communicator, rounds, turns);
  for (const Contestant& contestant : contestants) finish(*contestant.times, communicator);
}

}  // namespace weft::bench
