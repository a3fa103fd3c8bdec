// `weft net alltoall`: every rank sends a message to every other, by each of Weft's methods. Plans
// that transform nothing do it, packing included, since that is what a transform waits for; they
// are made anew for each sample, lest all methods' buffers be in memory at once.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <weft/plan.hpp>

#include "net/line.hpp"
#include "net/memory.hpp"
#include "net/pair_report.hpp"
#include "net/point_to_point.hpp"
#include "net/report.hpp"
#include "net/table.hpp"
#include "parallel_file.hpp"
#include "progress.hpp"

namespace weft::net {
namespace {

constexpr const char* plain = "MPI_Alltoall";  // what MPI makes of it, with nothing packed

/// A method with messages of one size.
struct Row {
  std::string method;
  Index bytes = 0;  ///< from one rank to another
  std::string impossible = {};
  int steps = 0;
  bench::Samples samples = {};
};

// --- The work -----------------------------------------------------------------------------------

/// One all-to-all in memory of its own.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual void run() = 0;
  virtual double* in() = 0;   ///< a message for each rank
  virtual double* out() = 0;  ///< a message from each rank
};

class PlannedExchange final : public Exchange {
 public:
  PlannedExchange(const Job& job, Index length, const Options& options)
      : plan_(plan_of(job, length, options)),
        in_(plan_.input<double>()),
        out_(plan_.output<double>()) {}
  void run() override { plan_.forward(in_, out_); }
  double* in() override { return in_.data(); }
  double* out() override { return out_.data(); }

 private:
  /// From (sender, receiver, place) split by senders to the same split by receivers.
  static Plan plan_of(const Job& job, Index length, const Options& options) {
    const Shape shape{job.ranks, job.ranks, length};
    return {job.communicator, Transform(shape, std::vector<Kind>(3, Kind::none)),
            Layout::slabs(shape, job.ranks, 0), Layout::slabs(shape, job.ranks, 1), options};
  }

  Plan plan_;
  Array<double> in_, out_;
};

class PlainExchange final : public Exchange {
 public:
  PlainExchange(const Job& job, Index length)
      : communicator_(job.communicator),
        length_(length),
        in_(static_cast<std::size_t>(length * job.ranks)),
        out_(in_.size()) {}
  void run() override {
    const auto count = static_cast<int>(length_);
    MPI_Alltoall(in_.data(), count, MPI_DOUBLE, out_.data(), count, MPI_DOUBLE, communicator_);
  }
  double* in() override { return in_.data(); }
  double* out() override { return out_.data(); }

 private:
  MPI_Comm communicator_;
  Index length_;
  std::vector<double> in_, out_;
};

std::unique_ptr<Exchange> make(const Arguments& arguments, const Job& job, const Row& row) {
  const Index length = row.bytes / static_cast<Index>(sizeof(double));
  if (row.method == plain) return std::make_unique<PlainExchange>(job, length);
  Options options;
  options.exchange = row.method;
  options.arrays = Arrays::plan;
  options.ranks_per_node = arguments.ranks_per_node;
  return std::make_unique<PlannedExchange>(job, length, options);
}

/// Runs it once, with numbers that tell where they come from and where they belong.
void check(const Job& job, const Row& row, Exchange& exchange) {
  const Index length = row.bytes / static_cast<Index>(sizeof(double));
  for (Index receiver = 0; receiver < job.ranks; ++receiver)
    std::fill_n(exchange.in() + receiver * length, length,
                static_cast<double>(job.rank * Index{job.ranks} + receiver));
  exchange.run();
  command::agree_on(job.communicator, [&] {
    for (Index place = 0; place < job.ranks * length; ++place)
      if (exchange.out()[place] != static_cast<double>(place / length * job.ranks + job.rank))
        throw Error(fmt::format("{}: the exchange is wrong; please report this", row.method));
  });
}

// --- The measurement ----------------------------------------------------------------------------

void take_sample(const Arguments& arguments, const Job& job, Row& row) {
  std::unique_ptr<Exchange> exchange;
  try {
    exchange = make(arguments, job, row);
  } catch (const Error& error) {
    row.impossible = error.what();  // planning fails on all ranks or on none
    return;
  }
  check(job, row, *exchange);
  const Step step = [&] { exchange->run(); };
  if (row.steps == 0) row.steps = steps_for(job.communicator, step);
  row.samples.seconds.push_back(seconds_per_step(job.communicator, row.steps, step));
}

/// What the exchanges are compared with.
struct Reference {
  std::string name;
  double bandwidth = 0;  ///< bytes per second
  double bytes = 0;      ///< of its kind that an exchange of messages of one byte moves
};

struct Result {
  std::vector<Row> rows;  ///< size by size
  Reference reference;

  double share(const Row& row) const {
    return reference.bytes * static_cast<double>(row.bytes) / row.samples.median() /
           reference.bandwidth;
  }
};

/// Sent and received by the node that does most of it; on one node, read and written.
Reference reference_of(const Job& job, const std::optional<Link>& link, const Memory& memory) {
  const double ranks = job.ranks;
  if (link)
    return {fmt::format("the link, both ways, {}", name_of(link->pairs())), link->bandwidth(),
            2 * job.messages_leaving_a_node()};
  return {"memory, all ranks copying", memory.bandwidth(), 2 * ranks * (ranks - 1)};
}

Result measure(const Arguments& arguments, const Job& job,
               const std::vector<std::string>& methods) {
  Result result;
  std::optional<Link> link;
  if (job.nodes.size() > 1) link.emplace(arguments, job);
  Memory memory(job);
  command::Progress progress("measuring", arguments.repeats * std::ssize(arguments.sizes),
                             job.rank == 0 && command::on_terminal());
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

// --- The report ---------------------------------------------------------------------------------

/// What a rank sends to others.
double sent(const Job& job, const Row& row) {
  return static_cast<double>(row.bytes) * (job.ranks - 1);
}

std::optional<Line> fit(const Job& job, const std::vector<Row>& rows, const std::string& method) {
  std::vector<Point> points;
  for (const Row& row : rows)
    if (row.method == method && row.impossible.empty())
      points.push_back({sent(job, row), row.samples.median()});
  return fit_line(points);
}

std::string table(const Arguments& arguments, const Job& job, const Result& result,
                  const std::vector<std::string>& methods) {
  std::vector<std::string> heads = {"method"};
  for (const Index bytes : arguments.sizes) heads.push_back(size_text(bytes));
  heads.insert(heads.end(), {"alpha", "beta"});
  Table table(heads);
  for (const std::string& method : methods) {
    std::vector<std::string> cells = {method};
    for (const Row& row : result.rows)
      if (row.method == method)
        cells.push_back(row.impossible.empty()
                            ? fmt::format("{} {:>5}",
                                          rate_text(sent(job, row) / row.samples.median()),
                                          share_text(result.share(row)))
                            : "not here");
    if (const auto line = fit(job, result.rows, method)) {
      cells.push_back(seconds_text(line->alpha));
      cells.push_back(line->seconds_per_byte > 0 ? rate_text(1 / line->seconds_per_byte)
                                                 : "unbounded");
    }
    table.add(cells);
  }
  return table.text(1);
}

/// Each once, although it may hold for every size.
std::string reasons(const std::vector<Row>& rows) {
  std::set<std::string> told;
  std::string text;
  for (const Row& row : rows)
    if (!row.impossible.empty() && told.insert(row.method + row.impossible).second)
      text += fmt::format("  {}: {}\n", row.method, row.impossible);
  return text;
}

Json json_of(const Job& job, const Result& result, const Row& row) {
  Json one = {{"method", row.method}, {"bytes", row.bytes}};
  if (!row.impossible.empty()) {
    one["reason"] = row.impossible;
    return one;
  }
  one["seconds"] = seconds_of(row.samples);
  one["bytes_per_second"] = sent(job, row) / row.samples.median();
  one["share"] = result.share(row);
  return one;
}

void add_json(const Job& job, const Result& result, const std::vector<std::string>& methods,
              Json& report) {
  report["reference"] = {{"name", result.reference.name},
                         {"bytes_per_second", result.reference.bandwidth}};
  report["rows"] = Json::array();
  for (const Row& row : result.rows) report["rows"].push_back(json_of(job, result, row));
  report["fits"] = Json::array();
  for (const std::string& method : methods)
    if (const auto line = fit(job, result.rows, method)) {
      Json one = {{"method", method}};
      one.update(line->json());
      report["fits"].push_back(one);
    }
}

void check_sizes(const Arguments& arguments) {
  for (const Index bytes : arguments.sizes)
    if (bytes % static_cast<Index>(sizeof(double)) != 0)
      throw Error(fmt::format("sizes: {} bytes are no whole number of doubles; give multiples of 8",
                              bytes));
}

}  // namespace

Findings measure_alltoall(const Arguments& arguments, const Job& job) {
  check_sizes(arguments);
  std::vector<std::string> methods = arguments.methods;
  if (methods.empty()) methods = exchange_names();
  methods.emplace_back(plain);
  const std::string convention =
      "bytes per second that a rank sends to others, and the share of the reference that all use "
      "together";
  const Result result = measure(arguments, job, methods);
  Findings findings;
  findings.text =
      fmt::format("weft net alltoall: {}\n  {}\n  reference: {}: {}\n\n{}{}", job.describe(),
                  convention, result.reference.name, rate_text(result.reference.bandwidth),
                  table(arguments, job, result, methods), reasons(result.rows));
  findings.json = report_of("alltoall", arguments, job, convention);
  add_json(job, result, methods, findings.json);
  return findings;
}

}  // namespace weft::net
