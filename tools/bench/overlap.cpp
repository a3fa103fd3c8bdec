// Candidates that run part of a transform, or that stand in for part of one.
#include "bench/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "net/pending_exchange.hpp"
#include "net/work.hpp"

namespace weft::bench {
namespace {

/// Part of a plan's forward transform, between the candidate's arrays.
class PartCandidate final : public Candidate {
 public:
  PartCandidate(WeftCandidate& whole, Plan::Part part)
      : whole_(whole), run_(whole.plan().part(part)) {}
  std::string describe() const override { return whole_.describe(); }
  Field input() override { return whole_.input(); }
  Field output() override { return whole_.output(); }
  void run() override { run_(); }

 private:
  WeftCandidate& whole_;
  std::function<void()> run_;
};

/// MPI_Ialltoall with as many bytes as a transform sends, arithmetic for as long as its passes
/// take, or both.
class BareCandidate final : public Candidate {
 public:
  enum class Part { exchange, compute, both };

  BareCandidate(WeftCandidate& whole, const Problem& problem, Part part, double seconds)
      : whole_(whole),
        part_(part),
        exchange_(problem.communicator, "ialltoall", message_bytes(whole.plan(), problem)),
        work_(net::arithmetic()) {
    work_->run(units_per_test);
    const double begin = MPI_Wtime();
    work_->run(16 * units_per_test);
    const double unit = largest(MPI_Wtime() - begin, problem.communicator) / 16;
    steps_ = std::max<Index>(1, static_cast<Index>(seconds / unit));
  }

  std::string describe() const override { return "bare"; }
  Field input() override { return whole_.input(); }
  Field output() override { return whole_.output(); }
  void run() override {
    if (part_ != Part::compute) exchange_.start();
    bool over = part_ == Part::compute;
    for (Index step = 0; step < steps_ && part_ != Part::exchange; ++step) {
      work_->run(units_per_test);
      if (!over) over = exchange_.test();
    }
    if (part_ != Part::compute) exchange_.wait();
  }

 private:
  static constexpr Index units_per_test = 1000;  // about 100 us

  static Index message_bytes(Plan& plan, const Problem& problem) {
    const double bytes = largest(static_cast<double>(plan.sent().bytes), problem.communicator);
    return static_cast<Index>(bytes) / std::max(1, problem.ranks() - 1);
  }

  WeftCandidate& whole_;
  Part part_;
  net::PendingExchange exchange_;
  std::unique_ptr<net::Work> work_;
  Index steps_ = 0;
};

/// The methods whose blocking form may be the fastest.
std::vector<Options> blocking_variants(Options options, const std::string& method) {
  options.producer_chunks = options.consumer_chunks = options.fields = 1;
  options.progress = ProgressPolicy::adaptive;
  std::vector<Options> variants;
  for (const std::string& name : {method, std::string("alltoallv"), std::string("pairwise")}) {
    options.exchange = name;
    if (std::ranges::find(variants, options) == variants.end()) variants.push_back(options);
  }
  return variants;
}

double seconds_of(Candidate& candidate) {
  candidate.run();
  const double begin = MPI_Wtime();
  candidate.run();
  return MPI_Wtime() - begin;
}

}  // namespace

double Overlap::hidden(const Samples& overlapped) const {
  return (blocking.median() - overlapped.median()) / std::min(exchange.median(), compute.median());
}

double Overlap::over_longer(const Samples& overlapped) const {
  return overlapped.median() / std::max(exchange.median(), compute.median());
}

double Overlap::bound() const {
  return (bound_exchange.median() + bound_compute.median() - bound_both.median()) /
         std::min(bound_exchange.median(), bound_compute.median());
}

OverlapContest::OverlapContest(const Problem& problem, const Transform& transform,
                               const Options& options, Between between) {
  for (const Options& variant : blocking_variants(options, options.exchange)) {
    blocking_.push_back(weft_candidate(problem.communicator, transform, variant, between));
    exchanges_.push_back(std::make_unique<PartCandidate>(*blocking_.back(), Plan::Part::exchanges));
  }
  WeftCandidate& first = *blocking_.front();
  passes_ = std::make_unique<PartCandidate>(first, Plan::Part::passes);
  const double seconds = largest(seconds_of(*passes_), problem.communicator);
  for (const auto part :
       {BareCandidate::Part::exchange, BareCandidate::Part::compute, BareCandidate::Part::both})
    bare_.push_back(std::make_unique<BareCandidate>(first, problem, part, seconds));
}

OverlapContest::~OverlapContest() = default;

std::vector<Candidate*> OverlapContest::candidates() const {
  std::vector<Candidate*> all;
  for (const auto& candidate : blocking_) all.push_back(candidate.get());
  for (const auto& candidate : exchanges_) all.push_back(candidate.get());
  all.push_back(passes_.get());
  for (const auto& candidate : bare_) all.push_back(candidate.get());
  return all;
}

Overlap OverlapContest::evaluate(std::vector<Contestant>::const_iterator& next) const {
  const auto fastest = [&](std::size_t count) {
    const auto begin = next;
    next += static_cast<std::ptrdiff_t>(count);
    return std::min_element(begin, next, [](const Contestant& a, const Contestant& b) {
      return a.samples.median() < b.samples.median();
    });
  };
  Overlap overlap;
  const auto first = next;
  const auto blocking = fastest(blocking_.size());
  overlap.blocking = blocking->samples;
  overlap.blocking_how = blocking_[blocking - first]->plan().options().exchange;
  overlap.exchange = fastest(exchanges_.size())->samples;
  overlap.compute = (next++)->samples;
  overlap.bound_exchange = (next++)->samples;
  overlap.bound_compute = (next++)->samples;
  overlap.bound_both = (next++)->samples;
  return overlap;
}

}  // namespace weft::bench
