// Measures the figures: each is the median of a few short runs, which is accurate enough to rank
// plans but not to report.
#include "tune/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sstream>

#include "machine/aligned_buffer.hpp"
#include "machine/caches.hpp"
#include "machine/name.hpp"
#include "make/trial.hpp"
#include "mpi/library_name.hpp"
#include "tune/samples.hpp"
#include "tune/wisdom_json.hpp"

namespace weft {
namespace {

constexpr int most_samples = 5;
constexpr std::size_t copied_bytes = std::size_t{16} << 20U;
// Sent by each rank: large enough that data which only fills the network's buffers hardly counts.
constexpr double exchanged_bytes = 8 << 20;
constexpr double fastest_beta = 1e18;  // for an exchange that takes no time
constexpr Index fft_length = 256;
constexpr Index fft_lines = 16;

double seconds_of(const Communicator& communicator, const Work& work) {
  work();
  Samples samples;
  for (int sample = 0; sample < most_samples; ++sample) samples.take(communicator.get(), 1, work);
  return std::max(1e-9, samples.median());
}

double memory_bandwidth(const Communicator& communicator) {
  AlignedBuffer from(copied_bytes), to(copied_bytes);
  std::memset(from.data(), 1, copied_bytes);
  return 2 * copied_bytes /
         seconds_of(communicator, [&] { std::memcpy(to.data(), from.data(), copied_bytes); });
}

double fft_rate(const Communicator& communicator) {
  LineBatch batch;
  batch.length = batch.input_distance = batch.output_distance = fft_length;
  batch.lines = fft_lines;
  batch.effort = EngineEffort::estimate;  // a search could take longer than everything else here
  const auto transform = find_engine("auto").plan(batch);
  const std::size_t bytes = fft_length * fft_lines * 16;
  AlignedBuffer from(bytes), to(bytes);
  std::memset(from.data(), 0x3f, bytes);
  constexpr int repeats = 20;
  const double seconds = seconds_of(communicator, [&] {
    for (int repeat = 0; repeat < repeats; ++repeat) transform->run(from.data(), to.data());
  });
  return repeats * 5.0 * fft_length * fft_lines * std::log2(fft_length) / seconds;
}

/// Seconds of an all-to-all in which each message has the given number of elements.
double exchange_seconds(const Job& job, const std::string& method, Index elements) {
  const Index ranks = job.communicator.size();
  const Shape shape{ranks, ranks, elements};
  RouteRequest request{Transform(shape, std::vector<Kind>(3, Kind::none)), {}, {}, {}};
  request.input = Layout::slabs(shape, job.communicator.size(), 0);
  request.output = Layout::slabs(shape, job.communicator.size(), 1);
  request.options.exchange = method;
  request.options.producer_chunks = request.options.consumer_chunks = 1;
  Session plan(job, planned(job, request));
  const auto exchange = exchanges_alone(plan);
  return seconds_of(job.communicator, exchange);
}

void add_exchange(const Job& job, const std::string& method, const std::string& prefix,
                  Figures& figures) {
  const double peers = job.communicator.size() - 1;
  const Index elements = std::max<Index>(1, static_cast<Index>(exchanged_bytes / 16 / peers));
  const double alpha = exchange_seconds(job, method, 1);
  const double large = exchange_seconds(job, method, elements);
  figures[prefix + ".alpha"] = alpha;
  figures[prefix + ".beta"] =
      static_cast<double>(elements) * 16 * peers / std::max(large - alpha, 0.1 * large);
}

/// A job that consists of the ranks on this rank's node.
Job node_job(const Job& job) {
  return {.communicator = job.node,
          .node = job.node,
          .topology = Topology::uniform(job.node.size(), 0),
          .caches = job.caches};
}

Figures measure(const Job& job) {
  Figures figures;
  figures["memory"] = memory_bandwidth(job.communicator);
  figures["fft"] = fft_rate(job.communicator);
  figures["cores"] = std::min(node_cores(), job.node.size() * machine_cores());
  for (const std::string& method : modelled_methods(job.topology))
    if (!find_exchange(method).traits.needs_one_node) add_exchange(job, method, method, figures);
  // All nodes measure at the same time, as in real use. A rank alone on its node exchanges nothing;
  // its initial values do not affect the maximum or minimum below.
  const Job node = node_job(job);
  for (const Reach reach : {Reach::within_nodes, Reach::between_nodes}) {
    const std::string& method = default_exchange(reach).name;
    figures[method + ".node.alpha"] = 0;
    figures[method + ".node.beta"] = fastest_beta;
    if (node.communicator.size() > 1) add_exchange(node, method, method + ".node", figures);
  }
  for (auto& [name, value] : figures)
    value = name.ends_with("alpha") ? largest(job.communicator.get(), value)
                                    : -largest(job.communicator.get(), -value);
  return figures;
}

/// The measurements of this process, which serve later plans even without a wisdom folder.
class FigureCache {
 public:
  std::optional<Figures> find(const Site& site) {
    const std::lock_guard lock(mutex_);
    const auto found = figures_.find(site);
    return found == figures_.end() ? std::nullopt : std::optional(found->second);
  }
  void store(const Site& site, const Figures& figures) {
    const std::lock_guard lock(mutex_);
    figures_[site] = figures;
  }

 private:
  std::mutex mutex_;
  std::map<Site, Figures> figures_;
};

FigureCache& figure_cache() {
  static FigureCache only;
  return only;
}

/// The known figures as text, or "" if there are none. For rank 0 only.
std::string known_figures(const Site& site) {
  auto figures = figure_cache().find(site);
  if (const auto path = wisdom_path(); path && !figures)
    figures = WisdomFolder(*path).find_figures(site);
  return figures ? print_entry(FiguresEntry(site, *figures)) : "";
}

void keep(const Site& site, const Figures& figures) {
  figure_cache().store(site, figures);
  if (const auto path = wisdom_path()) WisdomFolder(*path).store_figures(site, figures);
}

}  // namespace

Site site_of(const Job& job) {
  int per_node = job.node.size();
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &per_node, 1, MPI_INT, MPI_MAX, job.communicator.get()),
            "MPI_Allreduce");
  return {broadcast_text(job.communicator.get(), machine_name()),
          broadcast_text(job.communicator.get(), mpi_name()), job.communicator.size(), per_node};
}

std::vector<std::string> modelled_methods(const Topology& topology) {
  if (topology.nodes() == 1) return {default_exchange(Reach::within_nodes).name};
  std::vector<std::string> methods;
  for (const ExchangeMethod& method : exchange_methods())
    if (method.traits.modelled && !method.traits.needs_one_node &&
        (topology.nodes() < topology.ranks() || !method.traits.gathers_on_nodes))
      methods.push_back(method.name);
  return methods;
}

Figures parse_figures(const std::string& text) {
  Figures figures;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = std::min(word.find('='), word.size());
    char* end = nullptr;
    const std::string number = word.substr(std::min(equals + 1, word.size()));
    const double value = std::strtod(number.c_str(), &end);
    if (equals == 0 || number.empty() || *end != '\0' || !(value >= 0))
      throw Error(
          fmt::format("WEFT_FIGURES \"{}\": is not a figure; valid are names with numbers "
                      "from 0, \"p2p.alpha=2e-5 p2p.beta=1e9\" for example",
                      word));
    figures[word.substr(0, equals)] = value;
  }
  return figures;
}

Figures figures_of(const Job& job, const Site& site) {
  const bool is_root = job.communicator.rank() == 0;
  const char* const pretended = is_root ? std::getenv("WEFT_FIGURES") : nullptr;
  const std::string given = broadcast_text(job.communicator.get(), pretended ? pretended : "");
  if (!given.empty()) return parse_figures(given);
  const std::string known =
      broadcast_text(job.communicator.get(), is_root ? known_figures(site) : std::string());
  if (!known.empty()) return parse_entry<FiguresEntry>(known).second;
  Figures figures = measure(job);
  if (is_root) keep(site, figures);
  return figures;
}

}  // namespace weft
