// Errors of collective calls: all ranks must get the same one.
#pragma once

#include <mpi.h>

#include <initializer_list>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "support/error_checks.hpp"

namespace weft::test {

/// Collective over MPI_COMM_WORLD.
inline std::string shared_by_rank_0(const std::string& mine) {
  std::vector<char> text(4000, '\0');
  mine.copy(text.data(), text.size() - 1);
  MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  return text.data();
}

/// Collective over MPI_COMM_WORLD.
template <class Call>
void expect_error_everywhere(Call&& call, std::initializer_list<std::string> words) {
  const std::string mine = error_of(call);
  expect_words(mine, words);
  EXPECT_EQ(mine, shared_by_rank_0(mine)) << "ranks got different messages";
}

inline void expect_plan_error(const Transform& transform, const Options& options,
                              std::initializer_list<std::string> words) {
  expect_error_everywhere([&] { Plan(MPI_COMM_WORLD, transform, options); }, words);
}

/// Options that `parse` would refuse.
template <class Change>
Options changed(Change&& change) {
  Options options;
  change(options);
  return options;
}

}  // namespace weft::test
