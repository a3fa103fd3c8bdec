// How `weft exchange` and `weft net alltoall` time exchanges: by all methods in turn, each made
// anew for its turn, so that their buffers are not in memory at once.
#pragma once

#include <optional>
#include <string>
#include <vector>
#include <weft/options.hpp>

#include "exchange/transposer.hpp"
#include "samples.hpp"

namespace weft::bench {

/// One method on one matrix; seconds and bytes are maxima over ranks.
struct Timing {
  std::string method;
  int ranks = 0;
  Index side = 0;   ///< of the matrix
  Index width = 1;  ///< doubles per element
  std::string impossible = {};
  int steps = 0;  ///< in a sample
  Samples samples = {};
  double setup_seconds = 0;
  double resident_bytes = 0;  ///< growth of the process, MPI's buffers included
  std::optional<Cost> cost = {};
};

struct Turns {
  int rounds = 1;
  int samples = 1;  ///< in a method's turn, after a run that is checked and does not count
  int steps = 0;    ///< in a sample; 0: enough for the clock
  std::vector<command::Step> others = {};  ///< which take their turns after the methods
};

/// Times the methods, each the name of a transposer. One that cannot run says why. Collective.
/// Throws an Error on all ranks if an exchange is wrong.
std::vector<Timing> time_exchanges(const Matrix& matrix, const std::vector<std::string>& methods,
                                   const Options& options, const Turns& turns);

/// A line for each method that cannot run; each reason once.
std::string reasons(const std::vector<Timing>& timings);

}  // namespace weft::bench
