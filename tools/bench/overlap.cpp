// The bare exchange stands in for a transform's own, and arithmetic for its passes.
#include "bench/overlap.hpp"

#include <algorithm>

#include "exchange/exchange.hpp"

namespace weft::bench {
namespace {

constexpr Index units_per_test = 1000;  // about 100 us

/// As many bytes as the transform sends in all.
Index message_bytes(Plan& plan, const Problem& problem) {
  const double bytes = largest(problem.communicator, plan.sent().bytes);
  return static_cast<Index>(bytes) / std::max(1, problem.ranks() - 1);
}

/// The methods whose blocking form may be the fastest.
std::vector<Options> blocking_variants(Options options, const std::string& method) {
  options.producer_chunks = options.consumer_chunks = options.fields = 1;
  options.progress = ProgressPolicy::adaptive;
  std::vector<Options> variants;
  const auto add = [&](const std::string& name) {
    options.exchange = name;
    if (std::ranges::find(variants, options) == variants.end()) variants.push_back(options);
  };
  add(method);
  for (const ExchangeMethod& other : exchange_methods())
    if (other.traits.blocks_well) add(other.name);
  return variants;
}

}  // namespace

double Overlap::hidden(const Samples& overlapped) const {
  return (blocking.median() - overlapped.median()) / std::min(exchange.median(), compute.median());
}

double Overlap::over_longer(const Samples& overlapped) const {
  return overlapped.median() / std::max(exchange.median(), compute.median());
}

double Overlap::bound() const { return net::overlap(bound_exchange, bound_compute, bound_both); }

OverlapContest::OverlapContest(const Problem& problem, const Transform& transform,
                               const Options& options, Between between)
    : problem_(problem), work_(net::arithmetic()) {
  const MPI_Comm communicator = problem.communicator;
  for (const Options& variant : blocking_variants(options, options.exchange))
    blocking_.push_back({weft_candidate(communicator, transform, variant, between), {}, {}});
  Plan& plan = blocking_.front().transform->plan();
  bare_ = std::make_unique<net::PendingExchange>(communicator, "ialltoall",
                                                 message_bytes(plan, problem));
  const auto passes = plan.part(Plan::Part::passes);
  passes();
  work_->run(units_per_test);
  const double unit = seconds_per_step(communicator, 16, [&] { work_->run(units_per_test); });
  steps_ = std::max<Index>(1, static_cast<Index>(seconds_per_step(communicator, 1, passes) / unit));
}

Contestant OverlapContest::part_of(const Blocking& blocking, Plan::Part part, Times& times) const {
  Contestant contestant = contestant_of(problem_, *blocking.transform, times);
  contestant.run = blocking.transform->plan().part(part);
  return contestant;
}

void OverlapContest::compute_beside_exchange() {
  bare_->start();
  bool over = false;
  for (Index step = 0; step < steps_; ++step) {
    work_->run(units_per_test);
    if (!over) over = bare_->test();
  }
  bare_->wait();
}

std::vector<Contestant> OverlapContest::contestants() {
  std::vector<Contestant> all;
  for (Blocking& one : blocking_) {
    all.push_back(contestant_of(problem_, *one.transform, one.whole));
    all.push_back(part_of(one, Plan::Part::exchanges, one.exchanges));
  }
  all.push_back(part_of(blocking_.front(), Plan::Part::passes, passes_));
  all.push_back({&bare_exchange_, [this] { bare_->start(), bare_->wait(); }});
  all.push_back({&bare_compute_, [this] { work_->run(steps_ * units_per_test); }});
  all.push_back({&bare_both_, [this] { compute_beside_exchange(); }});
  return all;
}

Overlap OverlapContest::evaluate() const {
  const auto fastest = [this](Times Blocking::*times) -> const Blocking& {
    return *std::ranges::min_element(
        blocking_, {}, [=](const Blocking& one) { return (one.*times).samples.median(); });
  };
  const Blocking& best = fastest(&Blocking::whole);
  return {best.transform->plan().options().exchange,
          best.whole.samples,
          fastest(&Blocking::exchanges).exchanges.samples,
          passes_.samples,
          bare_exchange_.samples,
          bare_compute_.samples,
          bare_both_.samples};
}

}  // namespace weft::bench
