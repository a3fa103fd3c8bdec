// Climbs over few orders, each with its exact load, instead of exchanging single ranks: with many
// equally busy links, no single exchange relieves the busiest one.
#include "network/placement.hpp"

#include <algorithm>
#include <numeric>

#include "layout/partition.hpp"
#include "network/link_loads.hpp"

namespace weft {
namespace {

// Loads that differ by less are equal: sums in another order differ by rounding.
constexpr double least_gain = 1e-9;
// Ranks times computed loads: a search ends after about a second, even in the largest jobs.
constexpr Index most_rank_loads = Index{1} << 20U;
constexpr Index fewest_loads = 8;

/// Part of the number of a rank in the order of places.
struct Digit {
  int count;      // a prime
  int extent;     // the number of the extent that it divides
  int dimension;  // of the grid
};

/// A numbering of ranks: all digits, the fastest first, and whether an extent's digits run to
/// and fro.
struct Code {
  std::vector<Digit> digits;
  std::vector<bool> reflected;
};

std::vector<int> identity(std::size_t size) {
  std::vector<int> all(size);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// The ranks by place; ranks of a node keep their order.
std::vector<int> sorted_by_place(const JobNetwork& job) {
  std::vector<int> ranks = identity(job.place.size());
  std::ranges::stable_sort(ranks, {}, [&](int rank) { return job.place[rank]; });
  return ranks;
}

/// The ranks per node and the extents of the network, as far as the job fills them; one more extent
/// holds the rest. A job that fills nothing evenly has one extent, its size.
std::vector<Index> extents_of(const JobNetwork& job) {
  const Index ranks = std::ssize(job.place);
  std::vector<Index> extents;
  Index left = ranks;
  const auto take = [&](Index extent) {
    if (extent <= 1 || left % extent != 0) return extent <= 1;
    extents.push_back(extent);
    left /= extent;
    return true;
  };
  if (ranks % job.nodes == 0 && take(ranks / job.nodes))
    for (const int extent : job.network.extents())
      if (!take(extent)) break;
  if (left > 1) extents.push_back(left);
  return extents;
}

std::vector<int> primes_of(Index number) {
  std::vector<int> primes;
  for (int prime = 2; number > 1; ++prime) {
    if (Index{prime} * prime > number) prime = static_cast<int>(number);
    for (; number % prime == 0; number /= prime) primes.push_back(prime);
  }
  return primes;
}

/// Digits in the order of places, for the grid's dimensions in that order. Each dimension takes
/// digits until it has enough positions.
Code code_of(const std::vector<int>& grid, const std::vector<int>& dimensions,
             const JobNetwork& job) {
  Code code;
  std::vector<int> needed = grid;
  const std::vector<Index> extents = extents_of(job);
  for (std::size_t extent = 0; extent < extents.size(); ++extent)
    for (const int prime : primes_of(extents[extent])) {
      const int dimension = *std::ranges::find_if(
          dimensions, [&](int candidate) { return needed[candidate] % prime == 0; });
      needed[dimension] /= prime;
      code.digits.push_back({prime, static_cast<int>(extent), dimension});
    }
  code.reflected.assign(extents.size(), false);
  return code;
}

/// The ranks at the positions of a grid, row-major; `by_place`: the ranks that a code numbers.
std::vector<int> ranks_at(const std::vector<int>& grid, const Code& code,
                          const std::vector<int>& by_place) {
  struct Place {
    Index faster;         // combinations of faster digits
    Index slower = 1;     // and of slower ones of the same extent
    Index position_step;  // from one value to the next, in the grid
  };
  std::vector<Place> places;
  std::vector<Index> step(grid.size(), 1);
  for (std::size_t d = grid.size(); d-- > 1;) step[d - 1] = step[d] * grid[d];
  Index faster = 1;
  for (const Digit& digit : code.digits) {
    for (std::size_t before = places.size();
         before-- > 0 && code.digits[before].extent == digit.extent;)
      places[before].slower *= digit.count;
    places.push_back({faster, 1, step[digit.dimension]});
    step[digit.dimension] *= digit.count;
    faster *= digit.count;
  }
  std::vector<int> ranks(by_place.size());
  for (Index number = 0; number < std::ssize(by_place); ++number) {
    Index position = 0;
    for (std::size_t d = 0; d < places.size(); ++d) {
      const Digit& digit = code.digits[d];
      const Index rest = number / places[d].faster, value = rest % digit.count;
      const bool backwards =
          code.reflected[digit.extent] && rest / digit.count % places[d].slower % 2 == 1;
      position += (backwards ? digit.count - 1 - value : value) * places[d].position_step;
    }
    ranks[position] = by_place[number];
  }
  return ranks;
}

/// The search: the best code so far, and the number of loads that it may still compute.
class Climb {
 public:
  Climb(const std::vector<int>& grid, const JobNetwork& job)
      : grid_(grid),
        job_(job),
        by_place_(sorted_by_place(job)),
        best_(rank_order(grid, job)),
        left_(std::max(fewest_loads, most_rank_loads / std::ssize(job.place))) {}

  /// Steps from a code to its best neighbour, while that is better.
  void from(const Code& start) {
    Code code = start;
    double load = try_code(code);
    for (bool improves = true; improves && left_ > 0;) {
      Code best = code;
      const double before = load;
      for (const Code& neighbour : neighbours(code)) {
        if (left_ <= 0) break;
        const double found = try_code(neighbour);
        if (found < load - least_gain) load = found, best = neighbour;
      }
      improves = load < before;
      code = best;
    }
  }

  const Placement& best() const { return best_; }

 private:
  /// The load of a code; a lower load than all before makes it the best code.
  double try_code(const Code& code) {
    --left_;
    Placement placement{ranks_at(grid_, code, by_place_)};
    const double load = placement.load = grid_load(grid_, placement.rank_at, job_);
    if (load < best_.load - least_gain) best_ = std::move(placement);
    return load;
  }

  /// Reversed orders come first: they are few, and help most.
  static std::vector<Code> neighbours(const Code& code) {
    std::vector<Code> all;
    for (std::size_t extent = 0; extent < code.reflected.size(); ++extent) {
      Code turned = code;
      turned.reflected[extent] = !turned.reflected[extent];
      all.push_back(std::move(turned));
    }
    for (std::size_t one = 0; one < code.digits.size(); ++one)
      for (std::size_t other = one + 1; other < code.digits.size(); ++other) {
        if (code.digits[one].count != code.digits[other].count ||
            code.digits[one].dimension == code.digits[other].dimension)
          continue;
        Code exchanged = code;
        std::swap(exchanged.digits[one].dimension, exchanged.digits[other].dimension);
        all.push_back(std::move(exchanged));
      }
    return all;
  }

  const std::vector<int>& grid_;
  const JobNetwork& job_;
  std::vector<int> by_place_;
  Placement best_;
  Index left_;
};

}  // namespace

std::vector<double> dimension_loads(const std::vector<int>& grid, const std::vector<int>& rank_at,
                                    const JobNetwork& job) {
  std::vector<double> loads;
  Index stride = 1;
  for (std::size_t d = grid.size(); d-- > 0; stride *= grid[d]) {
    if (grid[d] == 1) {
      loads.push_back(0);
      continue;
    }
    LinkLoads links(job.network, detail_for(job.network, job.nodes, std::ssize(job.place)));
    std::vector<Member> group(grid[d]);
    for (Index first = 0; first < std::ssize(rank_at); ++first) {
      if (first / stride % grid[d] != 0) continue;
      for (Index member = 0; member < grid[d]; ++member)
        group[member] = {job.place[rank_at[first + member * stride]], 1, 1};
      links.add(group);
    }
    loads.push_back(links.busiest().bytes);
  }
  std::ranges::reverse(loads);
  return loads;
}

double grid_load(const std::vector<int>& grid, const std::vector<int>& rank_at,
                 const JobNetwork& job) {
  const std::vector<double> loads = dimension_loads(grid, rank_at, job);
  return std::accumulate(loads.begin(), loads.end(), 0.0);
}

Placement rank_order(const std::vector<int>& grid, const JobNetwork& job) {
  Placement placement{identity(job.place.size())};
  placement.load = grid_load(grid, placement.rank_at, job);
  return placement;
}

Placement column_major_order(const std::vector<int>& grid, const JobNetwork& job) {
  Placement placement;
  for (int position = 0; position < std::ssize(job.place); ++position) {
    const std::vector<int> at = coordinates_of(position, grid);
    int rank = 0;
    for (std::size_t d = grid.size(); d-- > 0;) rank = rank * grid[d] + at[d];
    placement.rank_at.push_back(rank);
  }
  placement.load = grid_load(grid, placement.rank_at, job);
  return placement;
}

Placement find_placement(const std::vector<int>& grid, const JobNetwork& job) {
  std::vector<int> dimensions = identity(grid.size());
  Climb climb(grid, job);
  climb.from(code_of(grid, dimensions, job));
  std::ranges::reverse(dimensions);
  climb.from(code_of(grid, dimensions, job));
  return climb.best();
}

}  // namespace weft
