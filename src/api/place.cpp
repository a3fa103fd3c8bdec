// Rank 0 searches, so that no rounding can lead ranks to different orders.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <weft/place.hpp>

#include "job/job_network.hpp"
#include "network/placement.hpp"

namespace weft {
namespace {

void check_grid(const std::vector<int>& grid, int ranks) {
  Index positions = grid.empty() ? 0 : 1;
  for (const int count : grid) {
    if (count < 1)
      throw Error(fmt::format("grid {}: valid are counts from 1", fmt::join(grid, "x")));
    positions = std::min<Index>(positions * count, Index{1} << 31U);
  }
  if (positions != ranks)
    throw Error(fmt::format("grid {}: valid are counts whose product is {}, the number of ranks",
                            fmt::join(grid, "x"), ranks));
}

/// The position of this rank. Collective.
int position_of(const Job& job, const std::vector<int>& grid, const JobNetwork& network) {
  std::vector<int> rank_at(static_cast<std::size_t>(job.communicator.size()));
  agree(job.communicator, [&] {
    if (job.communicator.rank() == 0) rank_at = find_placement(grid, network).rank_at;
  });
  check_mpi(MPI_Bcast(rank_at.data(), job.communicator.size(), MPI_INT, 0, job.communicator.get()),
            "MPI_Bcast");
  return static_cast<int>(std::ranges::find(rank_at, job.communicator.rank()) - rank_at.begin());
}

}  // namespace

MPI_Comm place(MPI_Comm communicator, const std::vector<int>& grid, const std::string& network) {
  const Job job = join_job(communicator, 0);
  agree(job.communicator, [&] { check_grid(grid, job.communicator.size()); });
  require_same(job.communicator,
               {{"grid", fmt::format("{}", fmt::join(grid, "x"))}, {"network", network}});
  const std::optional<JobNetwork> known = find_network(job, network);
  const int position = position_of(job, grid, known ? *known : crossbar_of(job));
  MPI_Comm placed = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(communicator, 0, position, &placed), "MPI_Comm_split");
  return placed;
}

}  // namespace weft
