// A greedy way: cases with many pairs of values that no taken one has are taken before those with
// few. That gives more cases than the fewest possible, which would take long to find.
#include "cases/covering_sample.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <vector>

#include "engine/engine.hpp"
#include "transform/kinds.hpp"

namespace weft::test {
namespace {

/// Of the cases that are not in the covering sample, one in this many runs as well.
constexpr std::uint64_t others_per_part = 24;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// "slabs_to_bricks": the input's layout and the output's; else the family of cases, the first
/// word.
std::vector<std::string> values_of_name(const std::string& name) {
  const std::size_t to = name.find("_to_");
  if (to != name.npos) return {"from " + name.substr(0, to), "to " + name.substr(to + 4)};
  return {"family " + name.substr(0, name.find_first_of("_0123456789"))};
}

std::vector<std::string> values_of(const Case& one) {
  const Transform& transform = one.transform;
  std::vector<std::string> values = values_of_name(one.name);
  for (const std::string& setting : split(weft::to_string(one.options), ','))
    values.push_back(setting);
  for (const Kind kind : transform.kinds) values.push_back("kind " + weft::to_string(kind));
  for (const Memory memory : one.memories) values.push_back("memory " + to_string(memory));
  values.push_back("precision " + weft::to_string(transform.precision));
  values.push_back("scale " + weft::to_string(transform.scale));
  values.push_back("dropped " + weft::to_string(transform.dropped));
  values.push_back(fmt::format("modes {} ellipse {} axes {}", transform.modes.empty(),
                               transform.ellipse.empty(), transform.shape.size()));
  return values;
}

/// The pairs of values of all cases, as numbers below `count`.
struct Pairs {
  std::vector<std::vector<std::size_t>> of_case;
  std::size_t count = 0;
};

Pairs pairs_of(const std::vector<Case>& cases) {
  std::map<std::string, std::size_t> numbers;
  std::vector<std::vector<std::size_t>> values(cases.size());
  for (std::size_t place = 0; place < cases.size(); ++place)
    for (const std::string& value : values_of(cases[place]))
      values[place].push_back(numbers.emplace(value, numbers.size()).first->second);
  Pairs pairs{.of_case = {}, .count = numbers.size() * numbers.size()};
  for (const std::vector<std::size_t>& own : values) {
    std::vector<std::size_t>& all = pairs.of_case.emplace_back();
    for (std::size_t i = 0; i < own.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        all.push_back(std::max(own[i], own[j]) * numbers.size() + std::min(own[i], own[j]));
  }
  return pairs;
}

/// Which cases are in a covering sample.
std::vector<bool> covering(const Pairs& pairs) {
  std::vector<bool> taken(pairs.of_case.size()), covered(pairs.count);
  for (const int wanted : {24, 12, 6, 3, 2, 1})
    for (std::size_t number = 0; number < taken.size(); ++number) {
      if (taken[number]) continue;
      const std::vector<std::size_t>& own = pairs.of_case[number];
      if (std::ranges::count_if(own, [&](std::size_t pair) { return !covered[pair]; }) < wanted)
        continue;
      taken[number] = true;
      for (const std::size_t pair : own) covered[pair] = true;
    }
  return taken;
}

/// Some engines lack DCTs and DSTs; pairs with a plan that is refused would not count.
bool engine_has_kinds(const Case& one) {
  const Transform& transform = one.transform;
  return std::ranges::all_of(transform.kinds, [&](Kind kind) {
    return kind < Kind::dct1 ||
           find_engine(one.options.engine)
               .supports(line_kind(kind, Sense::analysis), transform.precision);
  });
}

/// Of several ranks, which choose the same sample, one speaks.
bool speaks() {
  int is_job = 0, rank = 0;
  MPI_Initialized(&is_job);
  if (is_job) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

}  // namespace

std::vector<Case> sample_of(const std::vector<Case>& all) {
  const char* const number = std::getenv("WEFT_TEST_CASES");
  if (number == nullptr) return all;
  const std::uint64_t part = std::strtoull(number, nullptr, 10) % others_per_part;
  std::vector<Case> possible;
  std::ranges::copy_if(all, std::back_inserter(possible), engine_has_kinds);
  const std::vector<bool> taken = covering(pairs_of(possible));
  std::vector<Case> sample;
  for (std::size_t place = 0, others = 0; place < possible.size(); ++place)
    if (taken[place] || others++ % others_per_part == part) sample.push_back(possible[place]);
  if (speaks())
    std::printf("WEFT_TEST_CASES=%s: a sample of %zu of %zu cases\n", number, sample.size(),
                all.size());
  return sample;
}

}  // namespace weft::test
