// `weft net throughput`: how much of dgemm's speed is left while an exchange is under way.
#include <fmt/core.h>

#include "net/report.hpp"
#include "net/side_by_side.hpp"
#include "net/table.hpp"
#include "parallel_file.hpp"

namespace weft::net {
namespace {

/// Operations per second of one rank.
double rate(const SideBySide& row, const Work& work, const bench::Samples& samples) {
  return work.operations() * static_cast<double>(row.units) / samples.median();
}

/// Of the speed without communication: until the products are done, and until all is.
double kept(const SideBySide& row, const bench::Samples& samples) {
  return row.compute.median() / samples.median();
}

std::string table(const std::vector<SideBySide>& rows, const Work& work) {
  std::vector<std::string> heads = {"method", "message", "exchange", "alone"};
  for (const Together& together : rows.front().policies) heads.push_back(together.policy.name);
  Table table(heads);
  for (const SideBySide& row : rows) {
    std::vector<std::string> cells = {
        row.method, size_text(row.bytes), seconds_text(row.exchange.median()),
        fmt::format("{:.2f} GFLOP/s", rate(row, work, row.compute) * 1e-9)};
    for (const Together& together : row.policies)
      cells.push_back(together.unavailable.empty()
                          ? fmt::format("{} {:>5}", share_text(kept(row, together.computed)),
                                        share_text(kept(row, together.both)))
                          : "not here");
    table.add(cells);
  }
  return table.text(1);
}

Json full_json(const SideBySide& row, const Work& work) {
  Json one = json_of(row);
  one["operations_per_second_alone"] = rate(row, work, row.compute);
  for (std::size_t place = 0; place < row.policies.size(); ++place) {
    const Together& together = row.policies[place];
    if (!together.unavailable.empty()) continue;
    one["policies"][place]["operations_per_second"] = rate(row, work, together.computed);
    one["policies"][place]["kept_while_computing"] = kept(row, together.computed);
    one["policies"][place]["kept"] = kept(row, together.both);
  }
  return one;
}

}  // namespace

Findings measure_throughput(const Arguments& arguments, const Job& job) {
  const std::string convention =
      "of dgemm's speed without communication, two shares: until the products are done, and until "
      "the exchange is, too";
  std::unique_ptr<Work> work;
  command::agree_on(job.communicator, [&] { work = matrix_products(arguments.matrix); });
  const std::vector<SideBySide> rows = measure_side_by_side(arguments, job, *work);
  Findings findings;
  findings.text = fmt::format(
      "weft net throughput: {}, threads \"{}\"; products of {} x {} matrices\n  {}\n\n{}{}",
      job.describe(), thread_level(), arguments.matrix, arguments.matrix, convention,
      table(rows, *work), reasons(rows.front()));
  findings.json = report_of("throughput", arguments, job, convention);
  findings.json["thread_level"] = thread_level();
  findings.json["matrix"] = arguments.matrix;
  for (const SideBySide& row : rows) findings.json["rows"].push_back(full_json(row, *work));
  return findings;
}

}  // namespace weft::net
