// `weft net alltoall`: the measurement of `weft exchange`, with messages of given sizes: each rank
// has one row, whose elements are the messages. Plans are made again for each sample, so that the
// buffers of all methods are not in memory at once.
#include <fmt/core.h>

#include <memory>
#include <optional>
#include <set>

#include "exchange/transposers.hpp"
#include "net/line.hpp"
#include "net/memory.hpp"
#include "net/point_to_point.hpp"
#include "progress.hpp"

namespace weft::net {
namespace {

constexpr const char* plain = "MPI_Alltoall";  // the MPI's own collective, without packing

/// A method with messages of one size.
struct Row {
  std::string method;
  Index bytes = 0;  ///< from one rank to another
  std::string impossible = {};
  int steps = 0;
  Samples samples = {};
};

void take_sample(const Arguments& arguments, const Job& job, Row& row) {
  bench::Matrix matrix{job.communicator, job.ranks, job.ranks, row.bytes / Index{sizeof(double)}};
  std::vector<double> in, out;
  std::unique_ptr<bench::Transposer> exchange;
  if (row.method == plain) {
    in.resize(static_cast<std::size_t>(matrix.size()));
    out.resize(in.size());
    matrix.in = in.data();
    matrix.out = out.data();
    exchange = std::make_unique<bench::PlainTransposer>(matrix);
  } else {
    Options options;
    options.exchange = row.method;
    options.arrays = Arrays::plan;
    options.ranks_per_node = arguments.ranks_per_node;
    try {
      exchange = std::make_unique<bench::WeftTransposer>(matrix, options);
    } catch (const Error& error) {
      row.impossible = error.what();  // planning fails on all ranks or on none
      return;
    }
  }
  bench::check_transposer(row.method, matrix, *exchange);
  const Step step = [&] { exchange->run(); };
  if (row.steps == 0) row.steps = steps_for(job.communicator, step);
  row.samples.seconds.push_back(seconds_per_step(job.communicator, row.steps, step));
}

/// The reference that exchanges are compared with.
struct Reference {
  std::string name;
  double bandwidth = 0;  ///< bytes per second
  double bytes =
      0;  ///< moved by an exchange of one-byte messages, in bytes of the reference's kind
};

/// Sent and received by the busiest node; on one node, read and written.
Reference reference_of(const Job& job, const std::optional<Link>& link, const Memory& memory) {
  const double ranks = job.ranks;
  if (link)
    return {"the link, both ways, " + link->pairs().name(), link->bandwidth(),
            2 * job.messages_leaving_a_node()};
  return {"memory, all ranks copying", memory.bandwidth(), 2 * ranks * (ranks - 1)};
}

struct Result {
  int ranks = 0;
  std::vector<Row> rows;  ///< in the order of sizes
  Reference reference;

  /// The bytes that a rank sends to others.
  double sent(const Row& row) const { return static_cast<double>(row.bytes) * (ranks - 1); }
  double rate(const Row& row) const { return sent(row) / row.samples.median(); }
  double share(const Row& row) const {
    return reference.bytes * static_cast<double>(row.bytes) / row.samples.median() /
           reference.bandwidth;
  }
  std::optional<Line> fit(const std::string& method) const {
    std::vector<Point> points;
    for (const Row& row : rows)
      if (row.method == method && row.impossible.empty())
        points.push_back({sent(row), row.samples.median()});
    return fit_line(points);
  }
};

Result measure(const Arguments& arguments, const Job& job,
               const std::vector<std::string>& methods) {
  Result result;
  result.ranks = job.ranks;
  std::optional<Link> link;
  if (job.nodes.size() > 1) link.emplace(arguments, job);
  Memory memory(job);
  Progress progress("measuring", arguments.repeats * std::ssize(arguments.sizes), job.communicator);
  for (const Index bytes : arguments.sizes) {
    std::vector<Row> rows;
    for (const std::string& method : methods) rows.push_back({method, bytes});
    for (int repeat = 0; repeat < arguments.repeats; ++repeat, progress.advance()) {
      for (Row& row : rows)
        if (row.impossible.empty()) take_sample(arguments, job, row);
      if (link) link->take();
      memory.take();
    }
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
  }
  result.reference = reference_of(job, link, memory);
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
    for (const Row& row : result.rows)
      if (row.method == method)
        cells.push_back(row.impossible.empty()
                            ? fmt::format("{} {:>5}", rate_text(result.rate(row)),
                                          share_text(result.share(row)))
                            : "not here");
    if (const auto line = result.fit(method))
      cells.insert(cells.end(), {seconds_text(line->alpha), line->beta()});
    table.add(cells);
  }
  return table.text(1);
}

/// Each reason once, even if it applies to every size.
std::string reasons(const std::vector<Row>& rows) {
  std::set<std::string> told;
  std::string text;
  for (const Row& row : rows)
    if (!row.impossible.empty() && told.insert(row.method + row.impossible).second)
      text += fmt::format("  {}: {}\n", row.method, row.impossible);
  return text;
}

void add_json(const Result& result, const std::vector<std::string>& methods, Json& report) {
  report["reference"] = {{"name", result.reference.name},
                         {"bytes_per_second", result.reference.bandwidth}};
  for (const Row& row : result.rows) {
    Json one = {{"method", row.method}, {"bytes", row.bytes}};
    if (row.impossible.empty())
      one.update({{"seconds", row.samples},
                  {"bytes_per_second", result.rate(row)},
                  {"share", result.share(row)}});
    else
      one["reason"] = row.impossible;
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
  methods.emplace_back(plain);
  Findings findings = findings_of("alltoall", arguments, job,
                                  "bytes per second that a rank sends to others, and the share of "
                                  "the reference that all use together");
  const Result result = measure(arguments, job, methods);
  findings.text += fmt::format("  reference: {}: {}\n\n{}{}", result.reference.name,
                               rate_text(result.reference.bandwidth),
                               table(arguments, result, methods), reasons(result.rows));
  add_json(result, methods, findings.json);
  return findings;
}

}  // namespace weft::net
