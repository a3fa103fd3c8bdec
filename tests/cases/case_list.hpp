// The common parts of the files that make the shared list of cases.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "cases/cases.hpp"

namespace weft::test {

inline const std::array precisions{Precision::double_, Precision::single_};

inline const std::array<std::vector<Memory>, 4> memory_sets{
    std::vector{Memory::user, Memory::in_place}, std::vector{Memory::plan, Memory::user_to_plan},
    std::vector{Memory::plan_to_user, Memory::in_place_plan_output},
    std::vector{Memory::user, Memory::in_place_plan_input}};

/// Cases for a number of ranks.
class CaseList {
 public:
  explicit CaseList(int number_of_ranks) : ranks(number_of_ranks) {}

  /// The planner chooses the layouts unless they are given. Searching for fast 1-D plans would take
  /// most of the time.
  Case& add(const std::string& name, const Transform& transform,
            std::optional<std::pair<Layout, Layout>> layouts = {}) {
    Options options;
    options.engine_effort = EngineEffort::estimate;
    cases.push_back({name, transform, std::move(layouts), options});
    return cases.back();
  }

  Case& add(const std::string& name, const Transform& transform, const Layout& input,
            const Layout& output) {
    return add(name, transform, std::pair{input, output});
  }

  const int ranks;
  std::vector<Case> cases;
};

/// Cuts passes into chunks.
inline void chunk(Case& one, int producer, int consumer) {
  one.options.producer_chunks = producer;
  one.options.consumer_chunks = consumer;
}

/// Ranks that hold nothing on one side or on both, and boxes assigned to ranks in reverse order.
void add_empty_ranks(CaseList& list);

/// Process grids on some of the ranks: the first ranks, or ranks that are apart. They are given as
/// layouts, on one side or on both, or left to the planner.
void add_idle_ranks(CaseList& list);

/// Axes that plans split: cyclic layouts, and single axes that all ranks share.
void add_split_axes(CaseList& list);

}  // namespace weft::test
