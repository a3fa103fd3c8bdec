// `weft net overlap` and `weft net throughput`: how much of an exchange is hidden behind arithmetic
// of the same duration, and how much of dgemm's speed remains during an exchange.
#include <fmt/core.h>

#include <functional>

#include "net/side_by_side.hpp"

namespace weft::net {
namespace {

double overlap(const SideBySide& row, const Together& together) {
  return net::overlap(row.exchange, row.compute, together.both);
}

/// Operations per second of one rank.
double rate(const SideBySide& row, const Work& work, const Samples& samples) {
  return work.operations() * static_cast<double>(row.units) / samples.median();
}

/// The share of the speed without communication that is left.
double kept(const SideBySide& row, const Samples& samples) {
  return row.compute.median() / samples.median();
}

/// The heading, cells and JSON that one measurement adds to the common part.
struct Telling {
  const char* compute_head;
  std::function<std::string(const SideBySide&)> compute;
  std::function<std::string(const SideBySide&, const Together&)> together;
  std::function<Json(const SideBySide&, const Together&)> json;
};

void add(Findings& findings, const std::vector<SideBySide>& rows, const Telling& telling) {
  std::vector<std::string> heads = {"method", "message", "exchange", telling.compute_head};
  for (const Together& together : rows.front().policies) heads.push_back(together.policy.name);
  Table table(heads);
  for (const SideBySide& row : rows) {
    std::vector<std::string> cells = {row.method, size_text(static_cast<double>(row.bytes)),
                                      seconds_text(row.exchange.median()), telling.compute(row)};
    Json one = json_of(row);
    for (std::size_t place = 0; place < row.policies.size(); ++place) {
      const Together& together = row.policies[place];
      const bool here = together.unavailable.empty();
      cells.push_back(here ? telling.together(row, together) : "not here");
      if (here) one["policies"][place].update(telling.json(row, together));
    }
    table.add(cells);
    findings.json["rows"].push_back(one);
  }
  findings.text += fmt::format("\n{}{}", table.text("l"), reasons(rows.front()));
}

Findings findings_beside(const char* measurement, const Arguments& arguments, const Job& job,
                         const std::string& convention, const std::string& details = "") {
  Findings findings = findings_of(measurement, arguments, job, convention,
                                  fmt::format(", threads \"{}\"{}", thread_level(), details));
  findings.json["thread_level"] = thread_level();
  return findings;
}

}  // namespace

Findings measure_overlap(const Arguments& arguments, const Job& job) {
  Findings findings = findings_beside(
      "overlap", arguments, job,
      "overlap = (exchange + compute - both) / the shorter of the two; below 0, together they take "
      "longer than one after the other");
  add(findings, measure_side_by_side(arguments, job, *arithmetic()),
      {"compute", [](const SideBySide& row) { return seconds_text(row.compute.median()); },
       [](const auto& row, const auto& together) { return share_text(overlap(row, together)); },
       [](const auto& row, const auto& together) {
         return Json{{"overlap", overlap(row, together)}};
       }});
  return findings;
}

Findings measure_throughput(const Arguments& arguments, const Job& job) {
  std::unique_ptr<Work> work;
  agree(job.communicator, [&] { work = matrix_products(arguments.matrix); });
  Findings findings = findings_beside(
      "throughput", arguments, job,
      "of dgemm's speed without communication, two shares: until the products are done, and until "
      "the exchange is, too",
      fmt::format("; products of {0} x {0} matrices", arguments.matrix));
  findings.json["matrix"] = arguments.matrix;
  const std::vector<SideBySide> rows = measure_side_by_side(arguments, job, *work);
  add(findings, rows,
      {"alone",
       [&](const SideBySide& row) {
         return fmt::format("{:.2f} GFLOP/s", rate(row, *work, row.compute) * 1e-9);
       },
       [](const auto& row, const auto& together) {
         return fmt::format("{} {:>5}", share_text(kept(row, together.computed)),
                            share_text(kept(row, together.both)));
       },
       [&](const auto& row, const auto& together) {
         return Json{{"operations_per_second", rate(row, *work, together.computed)},
                     {"kept_while_computing", kept(row, together.computed)},
                     {"kept", kept(row, together.both)}};
       }});
  for (std::size_t place = 0; place < rows.size(); ++place)
    findings.json["rows"][place]["operations_per_second_alone"] =
        rate(rows[place], *work, rows[place].compute);
  return findings;
}

}  // namespace weft::net
