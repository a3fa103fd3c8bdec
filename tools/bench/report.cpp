// The table shows only what users need for decisions; the JSON has everything, samples included.
#include "bench/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "text.hpp"

namespace weft::bench {
namespace {

// --- The table ---------------------------------------------------------------------------------

std::string display_name(const std::string& rival) {
  if (rival == "fftw-mpi") return "FFTW-MPI";
  if (rival == "mkl") return "MKL";
  return rival;
}

std::string name_of(const Report& report, const Result& result) {
  if (!report.every_exchange)
    return result.full && !report.weft.front().full ? "all modes, " + result.how : result.how;
  const bool several = std::ranges::any_of(
      report.weft, [&](const Result& other) { return other.how != result.how; });
  return several ? result.exchange + ", " + result.how : result.exchange;
}

/// The result with the largest value of a member.
template <class Field>
Field most(const Report& report, Field Result::*field) {
  return (*std::ranges::max_element(report.weft, {}, field)).*field;
}

std::string how_it_ran(const Report& report) {
  std::string text =
      fmt::format("  device      {}\n  engine      {} ({} effort)\n  exchange    {}\n",
                  report.options.device, report.engine, to_string(report.options.engine_effort),
                  report.every_exchange ? "every method, in turn" : report.weft.front().exchange);
  text += fmt::format("  input       {}\n  output      {}\n", report.input_layout,
                      report.output_layout);
  const double workspace = most(report, &Result::workspace_bytes);
  text += fmt::format("  workspace   {} per rank, {:.2f} x the local array\n", size_text(workspace),
                      workspace / std::max(report.local_array_bytes, 1.0));
  text += fmt::format("  planning    {}\n", seconds_text(most(report, &Result::planning_seconds)));
  text += fmt::format(
      "  error       {:.1e} in the spectrum, {:.1e} there and back ({:.1e} allowed)\n",
      most(report, &Result::error), most(report, &Result::round_trip_error), report.error_bound);
  text += fmt::format("  wire        {}, {} sent in one transform\n",
                      to_string(report.options.wire), size_text(report.weft.front().wire_bytes));
  text += fmt::format("  floor       {}: the passes move {} at {:.1f} GB/s, the speed of copying\n",
                      seconds_text(report.floor_seconds()), size_text(report.pass_bytes),
                      report.bandwidth * 1e-9);
  return text;
}

std::string rows(const Report& report) {
  Table table({"one transform", "median", "fastest", "GFLOP/s", "x floor", "comm."});
  for (const auto& [name, result] : named_results(report)) {
    const double median = result->samples.median();
    const bool alone = result->samples_without_communication.seconds.empty();
    table.add({name, seconds_text(median), seconds_text(result->samples.minimum()),
               fmt::format("{:.2f}", report.operations() / median * 1e-9),
               fmt::format("{:.2f}", median / report.floor_seconds()),
               alone ? "" : share_text(report.communication_share(*result))});
  }
  std::string variants;
  for (const RivalResults& rival : report.rivals) {
    if (!rival.unavailable.empty()) continue;
    variants += fmt::format("  {}: the best of {}, {}\n", display_name(rival.name),
                            counted(rival.results.size(), "variant"), rival.best().how);
  }
  return table.text("l") + variants;
}

// On a busy machine medians also reflect other load; the fastest runs hardly do.
double fastest(const RivalResults& rival) {
  double seconds = rival.best().samples.minimum();
  for (const Result& result : rival.results) seconds = std::min(seconds, result.samples.minimum());
  return seconds;
}

std::string overlap_text(const Report& report) {
  if (!report.overlap) return "";
  const Overlap& overlap = *report.overlap;
  const Samples& mine = report.weft.front().samples;
  return fmt::format(
      "  Overlap {:.0f} %: blocking ({}) {}, exchange {}, compute {} (ratio {:.2f}); the\n"
      "  time is {:.2f} of blocking's and {:.2f} of the longer part. A bare MPI_Ialltoall beside\n"
      "  arithmetic overlaps {:.0f} %.\n",
      100 * overlap.hidden(mine), overlap.blocking_how, seconds_text(overlap.blocking.median()),
      seconds_text(overlap.exchange.median()), seconds_text(overlap.compute.median()),
      overlap.ratio(), mine.median() / overlap.blocking.median(), overlap.over_longer(mine),
      100 * overlap.bound());
}

/// Of the medians, and of the fastest.
std::string ratios(const Result& one, const Result& other) {
  return fmt::format("{:.3f} of the time, {:.3f} fastest to fastest",
                     one.samples.median() / other.samples.median(),
                     one.samples.minimum() / other.samples.minimum());
}

std::string comparisons(const Report& report) {
  std::string text = overlap_text(report);
  for (const std::string& reason : report.impossible)
    text += fmt::format("  Not here: {}.\n", reason);
  if (report.weft.size() == 2 && report.weft.front().how.starts_with("Poisson"))
    text += fmt::format("  Fused takes {}, compared with three steps.\n",
                        ratios(report.weft[0], report.weft[1]));
  const Result* kept = nullptr;
  for (const Result& result : report.weft) {
    if (!result.full) kept = &result;
    if (!result.full || kept == nullptr) continue;
    text += fmt::format("  Of the whole spectrum's: {}; {:.3f} of the bytes sent.\n",
                        ratios(*kept, result),
                        result.wire_bytes > 0 ? kept->wire_bytes / result.wire_bytes : 0);
  }
  for (const RivalResults& rival : report.rivals) {
    const std::string name = display_name(rival.name);
    if (!rival.unavailable.empty()) {
      text += fmt::format("  No comparison with {}: {}.\n", name, rival.unavailable);
      continue;
    }
    for (const Result& result : report.weft)
      text += fmt::format("  Weft takes {:.2f} of {}'s time, {}; {:.2f} fastest to fastest.\n",
                          result.samples.median() / rival.best().samples.median(), name,
                          name_of(report, result), result.samples.minimum() / fastest(rival));
  }
  return text;
}

// --- The JSON ----------------------------------------------------------------------------------

Json weft_result(const Report& report, const Result& result) {
  const double median = result.samples.median();
  return {
      {"arrays", result.how},
      {"seconds", result.samples},
      {"gflops", report.operations() / median * 1e-9},
      {"seconds_without_communication", result.samples_without_communication.median()},
      {"communication_share", report.communication_share(result)},
      {"processor_seconds", {{"user", result.processor.user}, {"system", result.processor.system}}},
      {"error", result.error},
      {"round_trip_error", result.round_trip_error},
      {"workspace_bytes", static_cast<std::size_t>(result.workspace_bytes)},
      {"planning_seconds", result.planning_seconds},
      {"wire_bytes", result.wire_bytes},
      {"all_modes", result.full},
      {"time_over_floor", median / report.floor_seconds()}};
}

void add_overlap(const Report& report, Json& json) {
  if (!report.overlap) return;
  const Overlap& overlap = *report.overlap;
  const Samples& mine = report.weft.front().samples;
  json["overlap"] = overlap.hidden(mine);
  json["time_over_longer"] = overlap.over_longer(mine);
  json["time_over_blocking"] = mine.median() / overlap.blocking.median();
  json["communication_to_computation"] = overlap.ratio();
  json["blocking"] = {{"exchange", overlap.blocking_how}, {"seconds", overlap.blocking}};
  json["exchange"] = {{"method", report.weft.front().exchange}, {"seconds", overlap.exchange}};
  json["compute"] = {{"seconds", overlap.compute}};
  json["bound"] = {{"overlap", overlap.bound()},
                   {"exchange", {{"seconds", overlap.bound_exchange}}},
                   {"compute", {{"seconds", overlap.bound_compute}}},
                   {"both", {{"seconds", overlap.bound_both}}}};
}

Json rival_result(const Report& report, const Result& mine, const RivalResults& rival) {
  Json json = {{"name", rival.name}, {"available", rival.unavailable.empty()}};
  if (!rival.unavailable.empty()) {
    json["reason"] = rival.unavailable;
    return json;
  }
  const Result& best = rival.best();
  const double median = best.samples.median();
  json.update({{"version", rival.version},
               {"seconds", best.samples},
               {"ratio", mine.samples.median() / median},
               {"gflops", report.operations() / median * 1e-9},
               {"error", best.error},
               {"variant", best.how}});
  for (const Result& result : report.weft)
    json["ratios"].push_back({{"arrays", result.how},
                              {"ratio", result.samples.median() / median},
                              {"ratio_of_fastest", result.samples.minimum() / fastest(rival)}});
  for (const Result& result : rival.results)
    json["variants"].push_back(
        {{"variant", result.how}, {"seconds", result.samples}, {"error", result.error}});
  return json;
}

Json json_of(const Report& report, const Result& result) {
  const Options& options = report.options;
  const Shape& shape = report.transform.shape;
  Json json = {
      {"shape", std::vector<Index>(shape.begin(), shape.end())},
      {"kind", report.kind},
      {"precision", to_string(report.transform.precision)},
      {"ranks", report.ranks},
      {"threads", options.threads},
      {"mpi", report.mpi},
      {"options", to_string(options)},
      {"chunks", {{"producer", options.producer_chunks}, {"consumer", options.consumer_chunks}}},
      {"progress", to_string(options.progress)},
      {"device", options.device},
      {"engine", report.engine},
      {"exchange", result.exchange},
      {"input_layout", report.input_layout},
      {"output_layout", report.output_layout}};
  json.update(weft_result(report, result));
  json.update({{"error_bound", report.error_bound},
               {"wire", to_string(options.wire)},
               {"local_array_bytes", static_cast<std::size_t>(report.local_array_bytes)},
               {"pass_bytes", report.pass_bytes},
               {"bandwidth", report.bandwidth},
               {"floor_seconds", report.floor_seconds()}});
  add_overlap(report, json);
  for (const Result& run : report.weft)
    if (run.exchange == result.exchange) json["runs"].push_back(weft_result(report, run));
  for (const RivalResults& rival : report.rivals) {
    const Json against = rival_result(report, result, rival);
    if (report.rivals.size() == 1) json["against"] = against;
    if (report.rivals.size() > 1) json["against"].push_back(against);
  }
  return json;
}

}  // namespace

// A variant that stopped early met other conditions than Weft did at the end.
const Result& RivalResults::best() const {
  return *std::ranges::min_element(results, {}, [](const Result& result) {
    return std::pair(-std::ssize(result.samples.seconds), result.samples.median());
  });
}

double Report::operations() const {
  double elements = 1;
  double transformed = 1;
  for (int axis = 0; axis < transform.shape.size(); ++axis) {
    const auto length = static_cast<double>(transform.shape[axis]);
    elements *= length;
    if (transform.kinds[axis] != Kind::none) transformed *= length;
  }
  const bool real = std::ranges::any_of(transform.kinds, [](Kind k) { return k > Kind::c2c; });
  return (real ? 2.5 : 5.0) * elements * std::log2(std::max(2.0, transformed));
}

// Each block is compared with the run without communication directly after it.
double Report::communication_share(const Result& result) const {
  Samples rests;
  auto block = result.samples.seconds.begin();
  for (const double alone : result.samples_without_communication.seconds) {
    const Samples together{{block, block + counted_per_block}};
    rests.seconds.push_back(alone / together.median());
    block += counted_per_block;
  }
  return std::max(0.0, 1 - rests.median());
}

std::vector<NamedResult> named_results(const Report& report) {
  std::vector<NamedResult> rows;
  for (const Result& result : report.weft)
    rows.push_back({"Weft, " + name_of(report, result), &result});
  for (const RivalResults& rival : report.rivals)
    if (rival.unavailable.empty()) rows.push_back({display_name(rival.name), &rival.best()});
  return rows;
}

std::string title_of(const Report& report) {
  return fmt::format("weft bench {} {} {}", to_string(report.transform.shape), report.kind,
                     to_string(report.transform.precision));
}

std::string job_of(const Report& report) {
  return fmt::format("{}, {} each; {}", counted(report.ranks, "rank"),
                     counted(report.options.threads, "thread"), report.mpi);
}

std::string to_table(const Report& report) {
  return fmt::format("{}: {}\n\n{}\n{}\n{}", title_of(report), job_of(report), how_it_ran(report),
                     rows(report), comparisons(report));
}

std::string to_json(const std::vector<Report>& reports) {
  const Report& first = reports.front();
  if (reports.size() == 1 && !first.every_exchange)
    return json_of(first, first.weft.front()).dump(2) + "\n";
  Json all = Json::array();
  for (const Report& report : reports)
    for (const Result& result : report.weft) {
      all.push_back(json_of(report, result));
      if (!report.every_exchange) break;
    }
  return all.dump(2) + "\n";
}

}  // namespace weft::bench
