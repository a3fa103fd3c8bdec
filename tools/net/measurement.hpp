// Shared by the measurements of `weft net`: the ranks and nodes they run on, their arguments, and
// their results.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>
#include <weft/box.hpp>

#include "ranks.hpp"
#include "samples.hpp"
#include "text.hpp"

namespace weft::net {

using namespace command;  // shared by all subcommands

struct Arguments {
  std::vector<Index> sizes;  ///< of messages, in bytes; ascending
  int repeats = 9;
  int window = 64;                    ///< messages in flight
  int ranks_per_node = 0;             ///< 0: the real nodes
  std::vector<std::string> methods;   ///< of exchange
  std::vector<std::string> progress;  ///< policies
  Index length = 1024;                ///< of the transform in the cache
  int matrix = 64;                    ///< rows of the matrices to multiply
};

struct Job {
  MPI_Comm communicator = MPI_COMM_NULL;
  int rank = 0;
  int ranks = 1;
  std::vector<std::vector<int>> nodes;  ///< the ranks on each, ascending; nodes by their first rank

  /// With one message from every rank to every other, the number of messages that leave a node for
  /// other nodes; the maximum over nodes.
  double messages_leaving_a_node() const;
};

/// Collective. Ranks that can share memory are on one node; if `ranks_per_node` is not 0, that many
/// consecutive ones of them.
Job find_job(MPI_Comm communicator, int ranks_per_node);

/// The same on every rank.
struct Findings {
  std::string text;
  Json json;
};

/// The measurement, its place and its convention; the text shows `details` after the MPI.
Findings findings_of(const std::string& measurement, const Arguments& arguments, const Job& job,
                     const std::string& convention, const std::string& details = "");

/// One file for each, or for two; all are collective over the job.
Findings measure_latency(const Arguments& arguments, const Job& job);
Findings measure_bandwidth(const Arguments& arguments, const Job& job);
Findings measure_alltoall(const Arguments& arguments, const Job& job);
Findings measure_balance(const Arguments& arguments, const Job& job);
Findings measure_overlap(const Arguments& arguments, const Job& job);
Findings measure_throughput(const Arguments& arguments, const Job& job);

}  // namespace weft::net
