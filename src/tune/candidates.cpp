// Generates candidates as plain option sets, without checking that a transform can use them; the
// caller drops those that cannot be planned.
#include "tune/candidates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>

#include <algorithm>
#include <functional>

#include "machine/caches.hpp"
#include "mpi/communicator.hpp"
#include "option/option_rows.hpp"

namespace weft {
namespace {

constexpr double weight_of_fewer_ranks = 1.25;

bool leaves_arrays(const RouteRequest& request) {
  return request.input.ranks() == 0 && request.output.ranks() == 0 && request.options.grid.empty();
}

bool allows_cyclic(const Options& options) { return options.decomposition == Decomposition::any; }

bool leaves_layout(const RouteRequest& request) {
  const Options& options = request.options;
  const bool is_automatic =
      options.decomposition == Decomposition::automatic && request.transform.shape.size() >= 3;
  return leaves_arrays(request) && (is_automatic || allows_cyclic(options));
}

bool leaves_chunks(const Options& options) {
  return options.producer_chunks == 0 || options.consumer_chunks == 0;
}

/// Every combination of one of `all` with one of `changes`.
using Change = std::function<void(Options&)>;
std::vector<Options> spread(const std::vector<Options>& all, const std::vector<Change>& changes) {
  std::vector<Options> result;
  for (const Options& one : all)
    for (const Change& change : changes) change(result.emplace_back(one));
  return result;
}

// In larger jobs a route takes long to make. They skip long and narrow grids, unless one side has
// as many ranks as a node.
constexpr int most_ranks_for_all_grids = 1 << 14;
constexpr int longest_side = 16;  // times the other

bool is_worth_a_route(int rows, int ranks, int node) {
  const int columns = ranks / rows;
  return ranks <= most_ranks_for_all_grids || rows == node || columns == node ||
         std::max(rows, columns) / std::min(rows, columns) <= longest_side;
}

/// Grids of that many ranks, on nodes of `node` ranks.
std::vector<Change> layout_changes(const Options& asked, int ranks, int node) {
  std::vector<Change> changes{[](Options& o) { o.decomposition = Decomposition::slab; }};
  if (allows_cyclic(asked))
    changes.emplace_back([](Options& o) { o.decomposition = Decomposition::cyclic; });
  for (int rows = 2; rows < ranks; ++rows)
    if (ranks % rows == 0 && is_worth_a_route(rows, ranks, node))
      changes.emplace_back([=](Options& o) {
        o.decomposition = Decomposition::pencil;
        o.grid = {rows, ranks / rows};
      });
  return changes;
}

std::vector<std::string> methods_for(const std::string& device) {
  std::vector<std::string> names;
  for (const ExchangeMethod& method : exchange_methods())
    if (method.traits.for_users && method.traits.for_every_plan && !method.traits.for_comparison &&
        reaches_memory_of(method, device))
      names.push_back(method.name);
  return names;
}

void set_chunks(Options& options, const Options& asked, int producer, int consumer) {
  if (asked.producer_chunks == 0) options.producer_chunks = producer;
  if (asked.consumer_chunks == 0) options.consumer_chunks = consumer;
}

/// Some exchange methods refuse plans that others take.
bool is_for_every_plan(const OptionRow& row, const Options& proposal) {
  return row.name != "exchange" ||
         std::ranges::all_of(exchange_list(proposal.exchange), [](const std::string& name) {
           return name == "auto" || find_exchange(name).traits.for_every_plan;
         });
}

}  // namespace

Options accepted(const RouteRequest& request, const Options& proposal) {
  const Options& asked = request.options;
  Options options = asked;
  if (leaves_active_ranks(request)) options.active_ranks = proposal.active_ranks;
  if (leaves_layout(request)) {
    options.decomposition = proposal.decomposition;
    options.grid = proposal.grid;
  }
  for (const OptionRow& row : option_rows())
    if (row.role == OptionRole::tuned && row.is_default(asked) && is_for_every_plan(row, proposal))
      row.copy(proposal, options);
  return options;
}

bool leaves_choices(const RouteRequest& request) {
  const Options& options = request.options;
  return options.exchange == "auto" || leaves_chunks(options) || leaves_layout(request) ||
         leaves_active_ranks(request) || options.effort == Effort::measure;
}

bool leaves_active_ranks(const RouteRequest& request) {
  return leaves_arrays(request) && request.options.active_ranks == Options::chosen;
}

std::vector<Options> with_fewer_ranks(const Options& asked, const Topology& topology) {
  std::vector<int> counts{topology.nodes()};
  for (int count = topology.ranks(); count > 1;) counts.push_back(count = (count + 1) / 2);
  std::ranges::sort(counts, std::greater<>());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  std::vector<Options> all{asked};
  all.front().active_ranks = 0;
  for (const int count : counts)
    if (count < topology.ranks()) all.emplace_back(asked).active_ranks = count;
  return all;
}

double weighed(const Options& options, double seconds) {
  return options.active_ranks > 0 ? weight_of_fewer_ranks * seconds : seconds;
}

std::string reason_for_ranks(const std::vector<Candidate>& best_first, const std::string& source) {
  const auto on_all = std::ranges::find_if(best_first, [](const Candidate& candidate) {
    return candidate.options.active_ranks == 0 && candidate.seconds > 0;
  });
  if (on_all == best_first.end())
    return "no plan on all of them was looked at, or none is possible";
  const std::string text = fmt::format("{} {:.3g} ms", source, best_first.front().seconds * 1e3);
  if (on_all != best_first.begin())
    return text + fmt::format(" instead of {:.3g} ms on all", on_all->seconds * 1e3);
  return text + fmt::format(", and on no fewer ranks less than {:.0f} % of that",
                            100 / weight_of_fewer_ranks);
}

std::vector<Options> main_candidates(const RouteRequest& request, const Topology& topology,
                                     const std::vector<std::string>& methods) {
  const Options& asked = request.options;
  std::vector<Options> all{asked}, fewer;
  if (leaves_active_ranks(request)) {
    fewer = with_fewer_ranks(asked, topology);
    all = {fewer.front()};
    fewer.erase(fewer.begin());
  }
  if (leaves_layout(request))
    all = spread(
        all, layout_changes(asked, asked.active_ranks > 0 ? asked.active_ranks : topology.ranks(),
                            topology.most_ranks_on_a_node()));
  all.insert(all.end(), fewer.begin(), fewer.end());
  if (asked.exchange == "auto") {
    std::vector<Change> changes;
    for (const std::string& method : methods)
      changes.emplace_back([=](Options& o) { o.exchange = method; });
    all = spread(all, changes);
  }
  if (leaves_chunks(asked)) {
    std::vector<Change> changes;
    for (const int chunks : {1, 4, 8, 16})
      changes.emplace_back([&, chunks](Options& o) { set_chunks(o, asked, chunks, chunks); });
    all = spread(all, changes);
  }
  if (topology.ranks() == 1) all.push_back(asked);  // named exchanges and chunks have windows
  return all;
}

Options with_default_within_nodes(const Options& candidate, const std::vector<bool>& near) {
  if (std::ranges::find(near, true) == near.end()) return candidate;
  std::vector<std::string> methods;
  const std::string& within = default_exchange(Reach::within_nodes).name;
  for (const bool is_near : near) methods.push_back(is_near ? within : candidate.exchange);
  const bool all = std::ranges::find(near, false) == near.end();
  Options changed = candidate;
  changed.exchange = all ? within : fmt::format("{}", fmt::join(methods, "/"));
  return changed;
}

std::vector<Options> variations(const Options& best, const RouteRequest& request,
                                const Route& forward, const Topology& topology) {
  const Options& asked = request.options;
  std::vector<Options> all;
  const auto add = [&](const Change& change) {
    Options changed = best;
    change(changed);
    if (changed.progress == ProgressPolicy::thread && thread_level() < MPI_THREAD_MULTIPLE) return;
    if (changed != best && std::ranges::find(all, changed) == all.end()) all.push_back(changed);
  };
  const bool chunked = best.producer_chunks > 1 || best.consumer_chunks > 1;
  if (leaves_active_ranks(request))
    for (const Options& one : with_fewer_ranks(asked, topology))
      add([&](Options& o) {
        o.active_ranks = one.active_ranks;
        o.decomposition = asked.decomposition;
        o.grid = asked.grid;
      });
  for (const int chunks : {1, 2, 4, 8, 12, 16, 32}) {
    add([&](Options& o) { set_chunks(o, asked, chunks, chunks); });
    if (chunked) {
      add([&](Options& o) { set_chunks(o, asked, chunks, o.consumer_chunks); });
      add([&](Options& o) { set_chunks(o, asked, o.producer_chunks, chunks); });
    }
  }
  const bool may_mix = forward.methods.size() > 1 && !is_alone(forward);
  if (asked.exchange == "auto")
    for (const std::string& method : methods_for(asked.device)) {
      add([&](Options& o) { o.exchange = method; });
      for (std::size_t e = 0; may_mix && e < forward.methods.size(); ++e) {
        std::vector<std::string> methods;
        for (const ExchangeMethod* known : forward.methods) methods.push_back(known->name);
        methods[e] = method;
        add([&](Options& o) { o.exchange = fmt::format("{}", fmt::join(methods, "/")); });
      }
    }
  for (const OptionRow& row : option_rows())
    if (row.is_default(asked) && (chunked || !row.of_chunks))
      for (const std::string& value : row.tried) add([&](Options& o) { row.parse(o, value); });
  if (asked.engine == "auto")
    for (const std::string& engine : engine_names_on(asked.device))
      add([&](Options& o) { o.engine = engine; });
  const int mates = topology.most_ranks_on_a_node();
  const int cores = machine_cores();
  if (asked.threads == 1 && cores / mates > 1) add([&](Options& o) { o.threads = cores / mates; });
  return all;
}

}  // namespace weft
