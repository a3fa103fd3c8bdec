// Times candidates in turn, so that a noisy machine is as noisy for one as for the other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/candidate.hpp"
#include "ranks.hpp"
#include "samples.hpp"

namespace weft::bench {

using namespace command;  // what all subcommands share

/// Transforms in a block, and those of them that count: the first runs on its predecessor's caches.
inline constexpr int block_length = 5;
inline constexpr int counted_per_block = block_length - 1;

/// Of the fastest of each block: what could be had in the conditions that the median met.
double median_of_fastest(const Samples& samples);

/// Processor seconds per transform, of all ranks together.
struct ProcessorTime {
  double user = 0;
  double system = 0;
};

/// One candidate in a contest, and what was found.
struct Contestant {
  Candidate* candidate = nullptr;
  /// Variants of one library share a number; the clearly slower ones among them soon stop running.
  int shortlist = -1;
  Samples samples;  ///< seconds per transform
  /// Where given: the same passes without communication, measured right behind each block.
  std::function<void()> without_communication;
  Samples samples_without_communication;
  ProcessorTime processor;
};

/// Runs every contestant in turn, `rounds` times a block of transforms on fresh random input. A
/// time is that from one barrier to the next, the largest on any rank. `advance` is called after
/// each block, `rounds` times per contestant. Collective.
void measure(const Problem& problem, std::vector<Contestant>& contestants, int rounds,
             const std::function<void()>& advance);

}  // namespace weft::bench
