// Times candidates in turn, so that noise of the machine affects all of them alike.
#pragma once

#include <vector>

#include "bench/candidate.hpp"
#include "ranks.hpp"
#include "samples.hpp"

namespace weft::bench {

using namespace command;  // shared by all subcommands

/// Of the runs in a block, all but the first, which finds its predecessor's data in the caches.
inline constexpr int counted_per_block = 4;

/// Computed from the fastest run of each block: the best case under the same conditions as the
/// median.
double median_of_fastest(const Samples& samples);

/// Processor seconds per transform, of all ranks together.
struct ProcessorTime {
  double user = 0;
  double system = 0;
};

struct Times {
  Samples samples;                        ///< seconds per transform
  Samples samples_without_communication;  ///< one for each block
  ProcessorTime processor;
};

/// A participant in a comparison, which takes turns with the others.
struct Contestant {
  Times* times;  ///< its measured times
  Step run;
  Step prepare = {};   ///< before each block
  int transforms = 1;  ///< that one run computes
  /// Variants of one library have the same number; those that are clearly slower are dropped early.
  int shortlist = -1;
  /// Optional: the same passes without communication, measured directly after each block.
  Step without_communication = {};
};

/// Before each block the candidate gets the problem's input. Both must outlive the contestant.
Contestant contestant_of(const Problem& problem, Candidate& candidate, Times& times);

/// Runs all contestants in turn, `rounds` times one block of runs each. Collective.
void measure(MPI_Comm communicator, const std::vector<Contestant>& contestants, int rounds);

}  // namespace weft::bench
