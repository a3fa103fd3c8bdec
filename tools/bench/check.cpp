// Compares with the true spectrum where bench knows it, and a spectrum of fewer modes with itself
// after a backward and a forward transform.
#include "bench/check.hpp"

#include <algorithm>
#include <cmath>

#include "plan_arguments.hpp"
#include "transform/parseval.hpp"

namespace weft::bench {
namespace {

/// The factor by which a rival may be less accurate than Weft promises to be.
constexpr double leniency = 10;

/// The relative L2 distance of two arrays of the same layout, over all ranks.
double distance_between(const Problem& problem, const Field& a, const Field& b) {
  const auto reals = static_cast<std::size_t>(a.box.volume()) * (a.real ? 1 : 2);
  const auto compare = [&](auto zero) {
    using Real = decltype(zero);
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < reals; ++i) {
      const double one = static_cast<const Real*>(a.data)[i];
      const double other = static_cast<const Real*>(b.data)[i];
      difference += (one - other) * (one - other);
      norm += other * other;
    }
    return std::sqrt(sum(difference, problem.communicator) / sum(norm, problem.communicator));
  };
  return a.precision == Precision::double_ ? compare(0.0) : compare(0.0F);
}

/// For an unusual form of spectrum, of which bench knows no true values: its distance from itself
/// after backward and forward, which must preserve exactly the kept modes.
double distance_there_again(const Problem& problem, WeftCandidate& candidate) {
  const Field spectrum = candidate.output();
  const auto bytes = static_cast<std::size_t>(candidate.plan().output_size()) *
                     (spectrum.real ? 1 : 2) * (spectrum.precision == Precision::double_ ? 8 : 4);
  const auto* const data = static_cast<const std::byte*>(spectrum.data);
  std::vector<std::byte> before(data, data + bytes);
  candidate.run_backward();
  candidate.run();
  Field earlier = spectrum;
  earlier.data = before.data();
  return distance_between(problem, spectrum, earlier);
}

Result result_of(const Problem& problem, WeftCandidate& candidate) {
  const Plan& plan = candidate.plan();
  Result result;
  result.how = candidate.describe();
  result.exchange = exchanges_of(plan);
  result.full = is_full(plan.transform());
  result.wire_bytes = sum(plan.sent().bytes, problem.communicator);
  result.planning_seconds = largest(problem.communicator, candidate.planning_seconds());
  result.workspace_bytes = largest(problem.communicator, plan.workspace_bytes());
  return result;
}

}  // namespace

bool is_full(const Transform& transform) {
  return transform.modes.empty() && transform.ellipse.empty() &&
         std::ranges::count(transform.kinds, Kind::r2c_packed) == 0;
}

/// Numbers that are rounded in messages may differ by 8 roundings of the larger part.
double allowed_error(const Problem& problem, const Options& options) {
  constexpr double rounding[] = {0.0, 0x1p-24, 0x1p-8, 0x1p-11};
  return std::max({error_bound(problem), options.wire_error,
                   8 * rounding[static_cast<std::size_t>(options.wire)]});
}

Result check_weft(const Problem& problem, WeftCandidate& candidate) {
  const ProductField input = ProductField::input(problem);
  input.fill(candidate.input());
  candidate.run();
  Result result = result_of(problem, candidate);
  if (result.full) {
    result.error = ProductField::output(problem).distance(
        candidate.output(), problem.communicator,
        scale_factor(candidate.plan().transform(), Direction::forward));
    candidate.run_backward();
    result.round_trip_error = input.distance(candidate.input(), problem.communicator);
  } else {
    result.error = result.round_trip_error = distance_there_again(problem, candidate);
  }
  return result;
}

RivalResults check_rival(const Problem& problem, PlannedRival& rival, const ProductField& truth) {
  RivalResults results{rival.name, rival.version, rival.unavailable, {}};
  const double bound = leniency * error_bound(problem);
  std::erase_if(rival.candidates, [&](const std::unique_ptr<Candidate>& candidate) {
    ProductField::input(problem).fill(candidate->input());
    candidate->run();
    const double error = truth.distance(candidate->output(), problem.communicator);
    if (!(error <= bound)) return true;
    Result& result = results.results.emplace_back();
    result.how = candidate->describe();
    result.error = error;
    return false;
  });
  if (results.unavailable.empty() && results.results.empty())
    results.unavailable = "none of its variants computes the right result here";
  return results;
}

std::vector<Result> check_poisson(const Problem& problem,
                                  const std::vector<std::unique_ptr<WeftCandidate>>& two) {
  for (const auto& candidate : two) {
    ProductField::input(problem).fill(candidate->input());
    candidate->run();
  }
  const double error = distance_between(problem, two[0]->output(), two[1]->output());
  std::vector<Result> results;
  for (const auto& candidate : two) {
    results.push_back(result_of(problem, *candidate));
    results.back().error = error;
  }
  return results;
}

}  // namespace weft::bench
