// The cases that every exchange method and every engine must get right: a fixed list, and a seeded
// generator of more. Cases are plain values, the same on every rank, and need no MPI.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <weft/layout.hpp>
#include <weft/options.hpp>
#include <weft/transform.hpp>

namespace weft::test {

/// Whose memory a transform runs on. `in_place_*` in the plan's own arrays is tried where they are
/// large enough; `crossed` reads the plan's output array while forward writes its input array.
enum class Memory {
  user,
  plan,
  user_to_plan,
  plan_to_user,
  in_place,
  in_place_plan_input,
  in_place_plan_output,
};

inline const std::vector every_memory{Memory::user,
                                      Memory::plan,
                                      Memory::user_to_plan,
                                      Memory::plan_to_user,
                                      Memory::in_place,
                                      Memory::in_place_plan_input,
                                      Memory::in_place_plan_output};

struct Case {
  std::string name;  ///< letters, digits and underscores
  Transform transform;
  /// The layouts of forward's input and output; nothing: the planner's choice.
  std::optional<std::pair<Layout, Layout>> layouts;
  Options options;  ///< except exchange and engine, which the tests vary
  std::vector<Memory> memories{Memory::user, Memory::plan};
  double error_bound = 0;  ///< if rounding in messages exceeds the transform's own errors
};

/// A description of the case in one to three lines, for messages.
std::string to_string(const Case& one);
std::string to_string(Memory memory);

/// The list for this number of ranks. With WEFT_TEST_CASES=none it is empty, for jobs that run
/// other tests: with sanitizers, registering thousands of tests takes five seconds of each process.
std::vector<Case> shared_cases(int ranks);

/// A case made from a seed; its exchange and engine are drawn from those given.
Case random_case(std::uint64_t seed, int ranks, const std::vector<std::string>& exchanges,
                 const std::vector<std::string>& engines);

/// Random numbers that are the same everywhere: std's distributions differ between libraries.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// In [low, high], both included.
  Index between(Index low, Index high);
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class List>
  const auto& pick(const List& list) {
    return *(list.begin() + between(0, static_cast<Index>(std::size(list)) - 1));
  }
  template <class List>
  void shuffle(List& list) {
    for (int i = static_cast<int>(std::size(list)) - 1; i > 0; --i)
      std::swap(list[i], list[static_cast<int>(between(0, i))]);
  }

 private:
  std::uint64_t state_;
};

/// The same element of a list for the same number, however large.
template <class List>
const auto& rotate(const List& list, std::size_t number) {
  return list[number % list.size()];
}

/// A process grid of this number of dimensions with `ranks` ranks; `turn` rotates the counts.
std::vector<int> grid_of(int ranks, int dimensions, int turn = 0);

/// The shape cut into one box per rank at random places, assigned at random; some may be empty.
Layout irregular_boxes(const Shape& shape, int ranks, std::uint64_t seed);

/// Everything on one rank.
Layout all_on(const Shape& shape, int ranks, int owner);

/// Turns a list so that its element `number`, counted on from its end again, is the first.
template <class List>
void begin_with(std::size_t number, List& list) {
  std::rotate(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(number % list.size()),
              list.end());
}

}  // namespace weft::test
