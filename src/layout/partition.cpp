// The rules for cutting axes, and near-square grids by a greedy choice of factors.
#include "layout/partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "layout/enumerators.hpp"
#include "layout/names.hpp"

namespace weft {

Range part_of(Range whole, Index parts, Index index) {
  // 128 bits, since length * index may exceed 64.
  const auto length = static_cast<__int128>(whole.end - whole.begin);
  return {whole.begin + static_cast<Index>(length * index / parts),
          whole.begin + static_cast<Index>(length * (index + 1) / parts)};
}

namespace {

constexpr std::array partition_names{"balanced", "blocks", "longer_first", "longer_last", "cyclic"};

/// The beginning of part `index` of a range, or the range's end if `index` equals `parts`.
Index cut_of(Range whole, Index parts, Index index, Partition partition) {
  const Index length = whole.end - whole.begin;
  switch (partition) {
    case Partition::blocks:
      return whole.begin + std::min(length, (length + parts - 1) / parts * index);
    case Partition::longer_first:
    case Partition::cyclic:  // the first parts are dealt one element more
      return whole.begin + length / parts * index + std::min(length % parts, index);
    case Partition::longer_last:
      return whole.begin + length / parts * index +
             std::max<Index>(length % parts - (parts - index), 0);
    case Partition::balanced:
      break;
  }
  return index == parts ? whole.end : part_of(whole, parts, index).begin;
}

}  // namespace

std::vector<Index> cuts_of(Index length, const std::vector<int>& counts, Partition partition) {
  // One balanced cut into all the parts is more even than balanced cuts of balanced parts. Cyclic
  // parts are dealt out at once.
  const bool is_one_cut = partition == Partition::balanced || partition == Partition::cyclic;
  if (is_one_cut && counts.size() > 1)
    return cuts_of(length, {std::accumulate(counts.begin(), counts.end(), 1, std::multiplies<>())},
                   partition);
  std::vector<Index> cuts{0, length};
  for (const int count : counts) {
    std::vector<Index> finer{0};
    for (std::size_t part = 0; part + 1 < cuts.size(); ++part)
      for (int index = 1; index <= count; ++index)
        finer.push_back(cut_of({cuts[part], cuts[part + 1]}, count, index, partition));
    cuts = std::move(finer);
  }
  return cuts;
}

Index index_in_classes(Index length, Index classes, Index place) {
  // The first classes have one element more.
  const Index count = length / classes, longer = length % classes;
  const Index before = longer * (count + 1);
  if (place < before) return place / (count + 1) + place % (count + 1) * classes;
  if (count == 0) return place;  // behind the last element
  return longer + (place - before) / count + (place - before) % count * classes;
}

std::string to_string(Partition partition) {
  return name_of(partition, partition_names, "partition");
}

Partition parse_partition(const std::string& name) {
  const auto found = std::ranges::find(partition_names, name);
  if (found == partition_names.end())
    throw Error(fmt::format("partition \"{}\": {}", name, valid_instead_of(name, partition_names)));
  return static_cast<Partition>(found - partition_names.begin());
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
