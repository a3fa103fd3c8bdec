// Greedy search: times the model's favourites, then varies the fastest one option at a time while
// that helps and time remains. It may miss a combination in which no single change helps. All
// ranks use the slowest rank's times, and rank 0's clock ends the search.
#include "tune/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <weft/version.hpp>

#include "layout/layout_text.hpp"
#include "machine/caches.hpp"
#include "machine/clock.hpp"
#include "make/trial_arrays.hpp"
#include "option/option_rows.hpp"
#include "session/session.hpp"
#include "tune/candidates.hpp"
#include "tune/figures.hpp"
#include "tune/job_model.hpp"
#include "tune/samples.hpp"
#include "tune/wisdom.hpp"

namespace weft {
namespace {

constexpr std::size_t most_favourites = 8;
constexpr std::size_t finalists = 3;
constexpr int most_samples = 5;
// A candidate whose first run takes this many times as long as the best is not run again.
constexpr double hopeless = 1.3;
// Keep a variation only if it is at least 1 % faster.
constexpr double gain = 0.99;

double decided_by_root(const Job& job, double value) {
  check_mpi(MPI_Bcast(&value, 1, MPI_DOUBLE, 0, job.communicator.get()), "MPI_Bcast");
  return value;
}

/// A plan together with arrays of random numbers to time it on.
class Rehearsal {
 public:
  Rehearsal(const Job& job, const RouteRequest& request)
      : job_(job),
        plan_(job, planned(job, request)),
        arrays_(plan_),
        in_(arrays_.at(Side::input)),
        out_(arrays_.at(Side::output)) {
    fill(request.transform.precision);
  }

  /// Seconds of one transform on the slowest rank.
  double seconds() {
    return seconds_per_step(job_.communicator.get(), 1, [this] {
      plan_.transforms().run({Direction::forward, {&in_, 1}, {&out_, 1}});
    });
  }

 private:
  void fill(Precision precision) {
    std::minstd_rand random(static_cast<unsigned>(plan_.ends().rank()) + 1);
    std::uniform_real_distribution<float> values(-1, 1);
    const auto fill = [&](auto zero) {
      using Real = decltype(zero);
      const std::size_t bytes = plan_.ends().bytes(Side::input);
      std::vector<Real> numbers(bytes / sizeof(Real));
      for (Real& number : numbers) number = static_cast<Real>(values(random));
      plan_.resources().device().copy(in_.data, numbers.data(), bytes);
      plan_.resources().device().synchronize();
    };
    precision == Precision::double_ ? fill(0.0) : fill(0.0F);
  }

  const Job& job_;
  Session plan_;
  TrialArrays arrays_;
  RawArray in_;
  RawArray out_;
};

/// One search: its deadline, its figures and the trials so far.
class Search {
 public:
  Search(const Job& job, RouteRequest request, double seconds,
         const std::function<void(const Trial&)>& report)
      : job_(job),
        request_(std::move(request)),
        report_(report),
        model_(job),
        begin_(Clock::now()),
        seconds_(seconds) {}

  std::vector<Trial> run() {
    for (const Options& options : favourites()) {
      if (!trials_.empty() && is_over()) break;
      attempt(options);
    }
    while (vary()) {
    }
    sort();
    confirm();
    return trials_;
  }

 private:
  static double cost(const Trial& trial) { return weighed(trial.options, trial.measured_seconds); }

  bool is_over() const {
    return decided_by_root(job_, seconds_between(begin_, Clock::now()) > seconds_ ? 1 : 0) > 0;
  }

  /// The model's favourites: for each decomposition and method, the best number of chunks.
  std::vector<Options> favourites() const {
    std::vector<Options> best;
    for (const Candidate& candidate :
         ranked(job_, request_, model_,
                main_candidates(request_, job_.topology, modelled_methods(job_.topology)))) {
      const Options& options = candidate.options;
      const bool known = std::ranges::any_of(best, [&](const Options& other) {
        return other.exchange == options.exchange && other.grid == options.grid &&
               other.decomposition == options.decomposition &&
               other.active_ranks == options.active_ranks;
      });
      if (!known && best.size() < most_favourites) best.push_back(options);
    }
    if (best.empty()) best.push_back(request_.options);
    return best;
  }

  void sort() {
    std::ranges::stable_sort(trials_, {}, [](const Trial& trial) {
      return std::pair(!trial.failure.empty(), cost(trial));
    });
  }

  /// Measures the first few again, since the fastest of many may only have been lucky.
  void confirm() {
    for (std::size_t place = 0; place < std::min(finalists, trials_.size()); ++place) {
      Trial& trial = trials_[place];
      if (trial.failure.empty())
        trial.measured_seconds = std::max(trial.measured_seconds, measured(trial.options));
    }
    sort();
  }

  const Trial* best() const {
    const Trial* best = nullptr;
    for (const Trial& trial : trials_)
      if (trial.failure.empty() && (best == nullptr || cost(trial) < cost(*best))) best = &trial;
    return best;
  }

  /// Tries variations of the best until one is faster; false if none is or time is up.
  bool vary() {
    const Trial* const known = best();
    if (known == nullptr) return false;
    const Options start = known->options;
    const double before = cost(*known);
    const Route route = make_routes(with(request_, start), job_.topology, job_.caches).forward;
    for (const Options& options : variations(start, request_, route, job_.topology)) {
      const bool tried = std::ranges::any_of(
          trials_, [&](const Trial& trial) { return trial.options == options; });
      if (tried) continue;
      if (is_over()) return false;
      attempt(options);
      if (cost(*best()) < gain * before) return true;
    }
    return false;
  }

  void attempt(const Options& options) {
    Trial trial;
    trial.options = options;
    try {
      const Route route = make_routes(with(request_, options), job_.topology, job_.caches).forward;
      trial.predicted_seconds = model_.seconds(route);
      trial.measured_seconds = measured(options);
    } catch (const Error& error) {
      trial.failure = error.what();
    }
    trials_.push_back(trial);
    agree(job_.communicator, [&] {  // an exception on one rank is thrown on all
      if (report_) report_(trial);
    });
  }

  double measured(const Options& options) {
    Rehearsal rehearsal(job_, with(request_, options));
    rehearsal.seconds();
    Samples samples{{rehearsal.seconds()}};
    const Trial* const known = best();
    while (std::ssize(samples.seconds) < most_samples &&
           (known == nullptr || samples.seconds.front() < hopeless * known->measured_seconds))
      samples.seconds.push_back(rehearsal.seconds());
    return samples.median();
  }

  const Job& job_;
  RouteRequest request_;
  const std::function<void(const Trial&)>& report_;
  JobModel model_;
  Clock::time_point begin_;
  double seconds_;
  std::vector<Trial> trials_;
};

/// The options that distinguish plans, for the keys and values of wisdom.
Options without_effort(Options options) {
  for (const OptionRow& row : option_rows())
    if (row.role == OptionRole::watch) row.copy(Options(), options);
  return options;
}

/// The nodes of runs of neighbouring ranks: "0x4 4x4" for two nodes of four ranks.
std::string placement(const Topology& topology) {
  std::string text;
  for (int rank = 0, end = 0; rank < topology.ranks(); rank = end) {
    while (end < topology.ranks() && topology.node_of(end) == topology.node_of(rank)) ++end;
    text += fmt::format("{}{}x{}", text.empty() ? "" : " ", topology.node_of(rank), end - rank);
  }
  constexpr std::size_t longest_line = 80;
  return text.size() <= longest_line ? text : "hash " + hash_of(text);
}

WisdomKey key_of(const Job& job, const RouteRequest& request) {
  std::string name = wisdom_name(request.transform);
  for (const Layout* layout : {&request.input, &request.output})
    if (layout->ranks() > 0) name += ", " + layout_text(*layout);
  return {site_of(job), name, to_string(without_effort(request.options)),
          fmt::format("{}, nodes {}", thread_level_name(), placement(job.topology))};
}

void store_wisdom(const WisdomKey& key, const std::vector<Trial>& trials, double budget) {
  const auto path = wisdom_path();
  if (!path) return;
  Wisdom wisdom;
  wisdom.options = to_string(trials.front().options);
  wisdom.measured_seconds = trials.front().measured_seconds;
  wisdom.predicted_seconds = trials.front().predicted_seconds;
  wisdom.budget_seconds = budget;
  wisdom.candidates = static_cast<int>(trials.size());
  wisdom.version = version();
  WisdomFolder(*path).store(key, wisdom);
}

/// The routes of wisdom's proposal, if this job can use them: a file may come from another version,
/// or from anybody. All ranks get the same answer; if it is no, rank 0 says why.
std::optional<Routes> possible_routes(const Job& job, const RouteRequest& request) {
  try {
    std::optional<Routes> routes;
    agree(job.communicator, [&] {
      routes = make_routes(request, job.topology, job.caches);
      if (request.options.progress == ProgressPolicy::thread &&
          thread_level() < MPI_THREAD_MULTIPLE)
        throw Error("progress thread needs MPI_THREAD_MULTIPLE");
      if (request.options.threads > machine_cores())
        throw Error(fmt::format("threads {}: this machine has {} cores", request.options.threads,
                                machine_cores()));
    });
    return routes;
  } catch (const Error& error) {
    if (job.communicator.rank() == 0)
      complain_once(fmt::format("wisdom for {} is not used: {}", wisdom_name(request.transform),
                                error.what()));
    return {};
  }
}

/// The plan that rank 0's wisdom has for the request, on all ranks; nothing if it has
/// none. Collective.
std::optional<PlannedRequest> from_wisdom(const Job& job, const RouteRequest& request) {
  std::string text;
  double seconds[2] = {0, 0};
  const WisdomKey key = key_of(job, request);
  if (const auto path = wisdom_path(); path && job.communicator.rank() == 0)
    if (const auto wisdom = WisdomFolder(*path).find(key)) {
      text = wisdom->options;
      seconds[0] = wisdom->predicted_seconds;
      seconds[1] = wisdom->measured_seconds;
    }
  text = broadcast_text(job.communicator.get(), text);
  if (text.empty()) return {};
  check_mpi(MPI_Bcast(seconds, 2, MPI_DOUBLE, 0, job.communicator.get()), "MPI_Bcast");
  RouteRequest proposal = with(request, accepted(request, Options::parse(text)));
  std::optional<Routes> routes = possible_routes(job, proposal);
  if (!routes) return {};
  Choice choice{Choice::Source::wisdom, key.options, seconds[0], seconds[1]};
  if (leaves_active_ranks(request)) choice.ranks = "an earlier search found this best";
  return PlannedRequest{std::move(proposal), std::move(*routes), choice};
}

/// The plan with other options; it gets new routes unless the options are the same.
PlannedRequest with_options(const Job& job, PlannedRequest plan, const Options& options,
                            const Choice& choice) {
  if (options != plan.request.options)
    return planned(job, with(std::move(plan.request), options), choice);
  plan.choice = choice;
  return plan;
}

/// The candidates that the model compares. On one node they differ only in the number of ranks:
/// shared windows are the fastest method there, and computation cannot hide their time.
std::vector<Options> modelled_candidates(const Job& job, const RouteRequest& request) {
  return job.topology.nodes() > 1
             ? main_candidates(request, job.topology, modelled_methods(job.topology))
             : with_fewer_ranks(request.options, job.topology);
}

PlannedRequest by_model(const Job& job, PlannedRequest plan) {
  const RouteRequest& request = plan.request;
  const std::vector<Candidate> all =
      ranked(job, request, JobModel(job), modelled_candidates(job, request));
  Choice choice{Choice::Source::model, to_string(request.options)};
  if (all.empty()) {
    plan.choice = choice;
    return plan;
  }
  choice.predicted_seconds = all.front().seconds;
  if (leaves_active_ranks(request)) choice.ranks = reason_for_ranks(all, "the model expects");
  return with_options(job, std::move(plan), all.front().options, choice);
}

PlannedRequest settled(const Job& job, PlannedRequest plan) {
  const Options& asked = plan.request.options;
  if (!leaves_choices(plan.request) || job.communicator.size() == 1) return plan;
  if (auto known = from_wisdom(job, plan.request)) return std::move(*known);
  if (asked.effort == Effort::measure) {
    const std::vector<Trial> trials = search(job, plan.request, asked.tuning_seconds, {});
    const Trial& best = trials.front();
    Choice choice{Choice::Source::search, to_string(asked), best.predicted_seconds,
                  best.measured_seconds};
    std::vector<Candidate> measured;
    for (const Trial& trial : trials) measured.push_back({trial.options, trial.measured_seconds});
    if (leaves_active_ranks(plan.request)) choice.ranks = reason_for_ranks(measured, "it took");
    return with_options(job, std::move(plan), best.options, choice);
  }
  if (job.topology.nodes() > 1 || leaves_active_ranks(plan.request))
    return by_model(job, std::move(plan));
  return plan;
}

}  // namespace

std::vector<Trial> search(const Job& job, const RouteRequest& request, double seconds,
                          const std::function<void(const Trial&)>& report) {
  const RouteRequest open = with(request, without_effort(request.options));
  std::vector<Trial> trials = Search(job, open, seconds, report).run();
  if (!trials.front().failure.empty()) throw Error(trials.front().failure);
  const WisdomKey key = key_of(job, request);
  if (job.communicator.rank() == 0) store_wisdom(key, trials, seconds);
  return trials;
}

PlannedRequest choose(const Job& job, RouteRequest request, Routes routes) {
  const Choice rule{Choice::Source::rule, to_string(request.options)};
  const bool leaves_exchange = request.options.exchange == "auto";
  PlannedRequest plan = settled(job, {std::move(request), std::move(routes), rule});
  plan.may_avoid_windows = leaves_exchange;
  return plan;
}

}  // namespace weft
