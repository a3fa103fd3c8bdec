// Plain facts; each measurement adds its own.
#include "net/report.hpp"

#include "bench/modules.hpp"

namespace weft::net {

Json report_of(const std::string& measurement, const Arguments& arguments, const Job& job,
               const std::string& convention) {
  return {{"measurement", measurement},
          {"mpi", bench::mpi_version()},
          {"ranks", job.ranks},
          {"nodes", job.nodes},
          {"nodes_are_real", arguments.ranks_per_node == 0},
          {"repeats", arguments.repeats},
          {"convention", convention}};
}

Json seconds_of(const bench::Samples& samples) {
  return {{"median", samples.median()}, {"min", samples.minimum()}, {"samples", samples.seconds}};
}

}  // namespace weft::net
