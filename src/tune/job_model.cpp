// Makes one route per decomposition and predicts the time of all candidates that share it.
#include "tune/job_model.hpp"

#include <algorithm>
#include <utility>

#include "tune/figures.hpp"
#include "tune/link_load.hpp"

namespace weft {
namespace {

/// Makes the routes of candidates. Consecutive candidates with the same decomposition reuse one
/// route and replace only its chunks and methods, since making layouts is slow with many ranks.
class RouteMaker {
 public:
  RouteMaker(const Job& job, const RouteRequest& request) : job_(job), request_(request) {}

  /// Null if the transform cannot be planned with these options.
  const Route* make(const Options& options) {
    try {
      if (options.decomposition != layout_.decomposition || options.grid != layout_.grid ||
          options.active_ranks != layout_.active_ranks || !route_) {
        layout_ = options;
        route_.reset();
        route_ = make_routes(with(request_, options), job_.topology, job_.caches).forward;
        near_.clear();
        for (const Geometry& geometry : route_->exchanges)
          near_.push_back(geometry.is_within_nodes(job_.topology));
        loads_.clear();
      }
      choose_chunks_and_methods(*route_, options, Direction::forward, job_.topology);
      return &*route_;
    } catch (const Error&) {
      return nullptr;
    }
  }

  /// Which exchanges of the last route made stay within nodes.
  const std::vector<bool>& near() const { return near_; }
  /// The known loads of its exchanges; a new layout forgets them.
  KnownLoads& loads() { return loads_; }

 private:
  const Job& job_;
  const RouteRequest& request_;
  Options layout_;
  std::optional<Route> route_;
  std::vector<bool> near_;
  KnownLoads loads_;
};

}  // namespace

// Braces fix the order of the two calls, which are collective.
JobModel::JobModel(const Job& job) : JobModel{figures_of(job, site_of(job)), find_network(job)} {}

JobModel::JobModel(Figures figures, std::optional<JobNetwork> network)
    : figures_(std::move(figures)), network_(std::move(network)) {
  if (network_) without_exchanges_ = {{}, all_to_all_load(*network_), network_->network.costs()};
}

double JobModel::seconds(const Route& route, KnownLoads& known) const {
  LinkCharges charges = without_exchanges_;
  for (std::size_t e = 0; network_ && e < route.exchanges.size(); ++e) {
    // Measured figures include the steps of a method.
    const PartnerOrder partners =
        charges.costs.are_complete() ? route.methods[e]->traits.partners : nullptr;
    const auto [load, is_new] = known.try_emplace({e, partners != nullptr});
    if (is_new)
      load->second = partners != nullptr ? stepwise_load(route.exchanges[e], *network_, partners)
                                         : exchange_load(route.exchanges[e], *network_);
    charges.loads.push_back(load->second);
  }
  return predict(route, figures_, charges);
}

std::vector<Candidate> ranked(const Job& job, const RouteRequest& request, const JobModel& model,
                              const std::vector<Options>& candidates) {
  std::vector<Candidate> all;
  RouteMaker maker(job, request);
  const auto consider = [&](const Options& options) {
    const Route* const route = maker.make(options);
    if (route != nullptr) all.push_back({options, model.seconds(*route, maker.loads())});
    return route != nullptr;
  };
  for (const Options& options : candidates) {
    if (!consider(options) || options.exchange == "auto" || request.options.exchange != "auto")
      continue;
    const Options changed = with_default_within_nodes(options, maker.near());
    if (changed != options) consider(changed);
  }
  std::ranges::stable_sort(all, {}, [](const Candidate& candidate) {
    return weighed(candidate.options, candidate.seconds);
  });
  return all;
}

RouteRequest with(RouteRequest request, const Options& options) {
  request.options = options;
  return request;
}

}  // namespace weft
