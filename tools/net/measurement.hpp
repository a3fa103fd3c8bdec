// What the measurements of `weft net` share: their arguments, and what they hand back.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>
#include <weft/box.hpp>

#include "net/job.hpp"

namespace weft::net {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::vector<Index> sizes;  ///< of messages, in bytes; ascending
  int repeats = 9;
  int window = 64;                    ///< messages in flight
  int ranks_per_node = 0;             ///< 0: nodes as they are
  std::vector<std::string> methods;   ///< of exchange
  std::vector<std::string> progress;  ///< policies
  Index length = 1024;                ///< of the transform in cache
  int matrix = 64;                    ///< rows of the matrices to multiply
};

/// On every rank the same.
struct Findings {
  std::string text;
  Json json;
};

/// One file each; all are collective over the job.
Findings measure_latency(const Arguments& arguments, const Job& job);
Findings measure_bandwidth(const Arguments& arguments, const Job& job);
Findings measure_alltoall(const Arguments& arguments, const Job& job);
Findings measure_balance(const Arguments& arguments, const Job& job);
Findings measure_overlap(const Arguments& arguments, const Job& job);
Findings measure_throughput(const Arguments& arguments, const Job& job);

}  // namespace weft::net
