// weft_place: orders of ranks that suit a process grid.
#include <algorithm>

#include "c/handles.hpp"

using namespace weft;
using namespace weft::c;

MPI_Comm weft::c::placed_ranks(const PlaceWish& wish) {
  std::vector<int> grid;
  agreed(wish.communicator, [&] {
    if (wish.placed == nullptr) throw Error("placed: is NULL");
    if (wish.dimensions < 1) throw Error("grid: has no entries");
    grid.assign(&required(wish.grid, "grid"), wish.grid + wish.dimensions);
    if (wish.order == AxisOrder::fortran) std::ranges::reverse(grid);
  });
  return place(wish.communicator, grid, wish.network != nullptr ? wish.network : "");
}

weft_status weft_place(MPI_Comm communicator, int dimensions, const int grid[], const char* network,
                       MPI_Comm* placed) {
  return guarded([&] {
    const MPI_Comm made = placed_ranks({communicator, dimensions, grid, network, placed});
    *placed = made;
  });
}
