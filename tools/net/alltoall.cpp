// `weft net alltoall`: the measurement of `weft exchange`, with messages of given sizes: each rank
// has one row, whose elements are the messages.
#include <fmt/core.h>

#include <optional>

#include "bench/copying.hpp"
#include "exchange/timing.hpp"
#include "exchange/transposers.hpp"
#include "net/line.hpp"
#include "net/point_to_point.hpp"

namespace weft::net {
namespace {

using bench::Timing;

/// The reference that exchanges are compared with.
struct Reference {
  std::string name;
  double bandwidth = 0;  ///< bytes per second
  double bytes = 0;      ///< of its kind, that an exchange of one-byte messages moves
};

/// Sent and received by the busiest node; on one node, read and written.
Reference reference_of(const Job& job, const std::optional<Link>& link, double memory_bandwidth) {
  const double ranks = job.ranks;
  if (link)
    return {"the link, both ways, " + link->pairs().name(), link->bandwidth(),
            2 * job.messages_leaving_a_node()};
  return {"memory, all ranks copying", memory_bandwidth, 2 * ranks * (ranks - 1)};
}

/// Of a message from one rank to another.
Index bytes_of(const Timing& timing) { return timing.width * Index{sizeof(double)}; }

struct Result {
  std::vector<Timing> timings;  ///< in the order of sizes
  Reference reference;

  /// The bytes that a rank sends to others.
  double sent(const Timing& timing) const {
    return static_cast<double>(bytes_of(timing)) * (timing.ranks - 1);
  }
  double rate(const Timing& timing) const { return sent(timing) / timing.samples.median(); }
  double share(const Timing& timing) const {
    return reference.bytes * static_cast<double>(bytes_of(timing)) / timing.samples.median() /
           reference.bandwidth;
  }
  std::optional<Line> fit(const std::string& method) const {
    std::vector<Point> points;
    for (const Timing& timing : timings)
      if (timing.method == method && timing.impossible.empty())
        points.push_back({sent(timing), timing.samples.median()});
    return fit_line(points);
  }
};

Result measure(const Arguments& arguments, const Job& job,
               const std::vector<std::string>& methods) {
  Options options;
  options.arrays = Arrays::plan;
  options.ranks_per_node = arguments.ranks_per_node;
  std::optional<Link> link;
  if (job.nodes.size() > 1) link.emplace(arguments, job);
  const auto copying = bench::make_copying(job.communicator, options.device, 1);
  Timed memory(job.communicator, [&] { copying->run(); });
  const bench::Turns turns{.rounds = arguments.repeats, .others = {[&] {
                                                          if (link) link->take();
                                                          memory.take();
                                                        }}};
  Result result;
  for (const Index bytes : arguments.sizes) {
    const bench::Matrix matrix{job.communicator, job.ranks, job.ranks,
                               bytes / Index{sizeof(double)}};
    const auto more = time_exchanges(matrix, methods, options, turns);
    result.timings.insert(result.timings.end(), more.begin(), more.end());
  }
  result.reference = reference_of(job, link, copying->bytes() / memory.samples().median());
  return result;
}

std::string table(const Arguments& arguments, const Result& result,
                  const std::vector<std::string>& methods) {
  std::vector<std::string> heads = {"method"};
  for (const Index bytes : arguments.sizes) heads.push_back(size_text(static_cast<double>(bytes)));
  heads.insert(heads.end(), {"alpha", "beta"});
  Table table(heads);
  for (const std::string& method : methods) {
    std::vector<std::string> cells = {method};
    for (const Timing& timing : result.timings)
      if (timing.method == method)
        cells.push_back(timing.impossible.empty()
                            ? fmt::format("{} {:>5}", rate_text(result.rate(timing)),
                                          share_text(result.share(timing)))
                            : "not here");
    if (const auto line = result.fit(method))
      cells.insert(cells.end(), {seconds_text(line->alpha), line->beta()});
    table.add(cells);
  }
  return table.text("l");
}

void add_json(const Result& result, const std::vector<std::string>& methods, Json& report) {
  report["reference"] = {{"name", result.reference.name},
                         {"bytes_per_second", result.reference.bandwidth}};
  for (const Timing& timing : result.timings) {
    Json one = {{"method", timing.method}, {"bytes", bytes_of(timing)}};
    if (timing.impossible.empty())
      one.update({{"seconds", timing.samples},
                  {"bytes_per_second", result.rate(timing)},
                  {"share", result.share(timing)}});
    else
      one["reason"] = timing.impossible;
    report["rows"].push_back(one);
  }
  report["fits"] = Json::array();
  for (const std::string& method : methods)
    if (const auto line = result.fit(method)) {
      report["fits"].push_back({{"method", method}});
      report["fits"].back().update(line->json());
    }
}

}  // namespace

Findings measure_alltoall(const Arguments& arguments, const Job& job) {
  for (const Index bytes : arguments.sizes)
    if (bytes % Index{sizeof(double)} != 0)
      throw Error(fmt::format("sizes: {} bytes are no whole number of doubles; give multiples of 8",
                              bytes));
  std::vector<std::string> methods = arguments.methods;
  if (methods.empty()) methods = exchange_names();
  methods.emplace_back(bench::plain_alltoall);
  Findings findings = findings_of("alltoall", arguments, job,
                                  "bytes per second that a rank sends to others, and the share of "
                                  "the reference that all use together");
  const Result result = measure(arguments, job, methods);
  findings.text += fmt::format("  reference: {}: {}\n\n{}{}", result.reference.name,
                               rate_text(result.reference.bandwidth),
                               table(arguments, result, methods), reasons(result.timings));
  add_json(result, methods, findings.json);
  return findings;
}

}  // namespace weft::net
