// weft_place: orders of ranks that suit a process grid.
#include <algorithm>

#include "c/handles.hpp"

using namespace weft;
using namespace weft::c;

MPI_Comm weft::c::placed_ranks(const PlaceArguments& given) {
  std::vector<int> grid;
  agreed(given.communicator, [&] {
    if (given.placed == nullptr) throw Error("placed: is NULL");
    if (given.dimensions < 1) throw Error("grid: has no entries");
    grid.assign(&required(given.grid, "grid"), given.grid + given.dimensions);
    if (given.order == AxisOrder::fortran) std::ranges::reverse(grid);
  });
  return place(given.communicator, grid, given.network != nullptr ? given.network : "");
}

weft_status weft_place(MPI_Comm communicator, int dimensions, const int grid[], const char* network,
                       MPI_Comm* placed) {
  return guarded([&] {
    const MPI_Comm made = placed_ranks({communicator, dimensions, grid, network, placed});
    *placed = made;
  });
}
