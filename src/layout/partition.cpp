// Balanced partitions and near-square grids.
#include "layout/partition.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

Range part_of(Range whole, Index parts, Index index) {
  // 128 bits, since length times parts may pass 64.
  const auto length = static_cast<__int128>(whole.end - whole.begin);
  return {whole.begin + static_cast<Index>(length * index / parts),
          whole.begin + static_cast<Index>(length * (index + 1) / parts)};
}

Box part_of(const Box& box, int axis, int parts, int index) {
  if (parts == 1) return box;
  Box result = box;
  const Range range = part_of(Range{box.lower[axis], box.upper[axis]}, parts, index);
  result.lower[axis] = range.begin;
  result.upper[axis] = range.end;
  return result;
}

std::vector<int> coordinates_of(int rank, const std::vector<int>& grid) {
  std::vector<int> coordinates(grid.size());
  for (std::size_t d = grid.size(); d-- > 0;) {
    coordinates[d] = rank % grid[d];
    rank /= grid[d];
  }
  return coordinates;
}

std::vector<int> near_square_grid(int ranks, int dimensions) {
  std::vector<int> grid;
  for (int left = dimensions; left > 1; --left) {
    int factor = static_cast<int>(std::floor(std::pow(ranks, 1.0 / left) + 1e-9));
    while (ranks % factor != 0) --factor;
    grid.push_back(factor);
    ranks /= factor;
  }
  grid.push_back(ranks);
  std::sort(grid.begin(), grid.end());
  return grid;
}

}  // namespace weft
