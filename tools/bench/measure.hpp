// Times candidates in turn, so that noise of the machine affects all of them alike.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/candidate.hpp"
#include "ranks.hpp"
#include "samples.hpp"

namespace weft::bench {

using namespace command;  // shared by all subcommands

/// Transforms in a block, and how many of them count: the first one finds its predecessor's data in
/// the caches.
inline constexpr int block_length = 5;
inline constexpr int counted_per_block = block_length - 1;

/// Computed from the fastest run of each block: the best case under the same conditions as the
/// median.
double median_of_fastest(const Samples& samples);

/// Processor seconds per transform, of all ranks together.
struct ProcessorTime {
  double user = 0;
  double system = 0;
};

/// One candidate of a comparison and its results.
struct Contestant {
  Candidate* candidate = nullptr;
  /// Variants of one library have the same number; those that are clearly slower are dropped early.
  int shortlist = -1;
  Samples samples;  ///< seconds per transform
  /// Optional: the same passes without communication, measured directly after each block.
  std::function<void()> without_communication;
  Samples samples_without_communication;
  ProcessorTime processor;
};

/// Runs all contestants in turn, `rounds` times one block of transforms each, on new random input.
/// A time is measured from one barrier to the next and is the maximum over ranks. `advance` is
/// called after each block, so `rounds` times per contestant. Collective.
void measure(const Problem& problem, std::vector<Contestant>& contestants, int rounds,
             const std::function<void()>& advance);

}  // namespace weft::bench
