// `weft net balance`: the rates at which the machine moves data and computes, as ratios, compared
// with what a transform needs. All ranks compute, copy and send at the same time, as in a
// transform.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <weft/plan.hpp>

#include "net/memory.hpp"
#include "net/point_to_point.hpp"
#include "progress.hpp"

namespace weft::net {
namespace {

using Complex = std::complex<double>;

/// Transforms of a few lines that stay in the cache, on every rank independently.
class CachedTransform {
 public:
  CachedTransform(const Job& job, Index length)
      : job_(job),
        length_(length),
        lines_(std::max<Index>(1, most_bytes / (length * static_cast<Index>(sizeof(Complex))))),
        plan_(plan_of(lines_, length)),
        in_(static_cast<std::size_t>(lines_ * length), Complex(1, -1)),
        out_(in_.size()) {
    steps_ = steps_for(job.communicator, [this] { run(); });
  }
  void take() {
    samples_.seconds.push_back(seconds_per_step(job_.communicator, steps_, [this] { run(); }));
  }
  /// Operations per second of all ranks, counting 5 n log2 n for a transform.
  double rate() const {
    const auto length = static_cast<double>(length_);
    const double operations = 5 * length * std::log2(length) * static_cast<double>(lines_);
    return operations * job_.ranks / samples_.median();
  }
  Index lines() const { return lines_; }
  const Samples& samples() const { return samples_; }

 private:
  static constexpr Index most_bytes = 128
                                      << 10;  // the output takes as much again, in a level 2 cache

  static Plan plan_of(Index lines, Index length) {
    return {MPI_COMM_SELF, Transform({lines, length}, {Kind::none, Kind::c2c})};
  }
  void run() { plan_.forward(in_.data(), out_.data()); }

  const Job& job_;
  Index length_;
  Index lines_;
  Plan plan_;
  std::vector<Complex> in_, out_;
  int steps_ = 1;
  Samples samples_;
};

/// All rates are per node, in bytes and operations per second.
struct Balance {
  double link = 0;  ///< one direction
  double memory = 0;
  double transform = 0;
};

/// Bytes that a complex transform of N points needs per operation: an exchange sends 16 bytes of
/// each point, a pass reads and writes them, and there are 5 log2 N operations per point.
struct Need {
  Index side;
  double operations() const { return 15 * std::log2(static_cast<double>(side)); }
  double link() const { return 16 / operations(); }
  double memory() const { return 32 / operations(); }
};

constexpr Need needs[] = {{256}, {1024}, {4096}};

std::string table(const Balance& balance) {
  Table table({"bytes per operation", "link", "memory", "link / memory"});
  const auto add = [&table](const std::string& name, double link, double memory) {
    table.add({name, fmt::format("{:.4f}", link), fmt::format("{:.4f}", memory),
               fmt::format("{:.3f}", link / memory)});
  };
  add("this machine has", balance.link / balance.transform, balance.memory / balance.transform);
  for (const Need& need : needs)
    add(fmt::format("{}^3, one exchange and one pass, needs", need.side), need.link(),
        need.memory());
  return table.text(1);
}

Json json_of(const Balance& balance) {
  Json json = {{"link_bytes_per_operation", balance.link / balance.transform},
               {"memory_bytes_per_operation", balance.memory / balance.transform},
               {"link_over_memory", balance.link / balance.memory}};
  json["needed"] = Json::array();
  for (const Need& need : needs)
    json["needed"].push_back({{"shape", {need.side, need.side, need.side}},
                              {"link_bytes_per_operation", need.link()},
                              {"memory_bytes_per_operation", need.memory()}});
  return json;
}

Json measured(const Samples& samples, const char* unit, double rate) {
  return {{"seconds", samples}, {unit, rate}};
}

}  // namespace

Findings measure_balance(const Arguments& arguments, const Job& job) {
  Findings findings = findings_of(
      "balance", arguments, job,
      "per node, all ranks at once: link in one direction (half of both ways), memory read and "
      "written by streaming copies, operations of transforms in cache (5 n log2 n)");
  Link link(arguments, job);
  Memory memory(job);
  CachedTransform transform(job, arguments.length);
  Progress progress("measuring", arguments.repeats, job.communicator);
  for (int repeat = 0; repeat < arguments.repeats; ++repeat, progress.advance())
    link.take(), memory.take(), transform.take();
  const auto nodes = static_cast<double>(job.nodes.size());
  const Balance balance = {link.bandwidth() / 2, memory.bandwidth() / nodes,
                           transform.rate() / nodes};
  findings.text += fmt::format(
      "\n  link ({})  {}\n  memory  {}\n  {} transforms of length {}  {:.2f} GFLOP/s\n\n{}",
      link.pairs().name(), rate_text(balance.link), rate_text(balance.memory), transform.lines(),
      arguments.length, balance.transform * 1e-9, table(balance));
  findings.json["link"] = measured(link.samples(), "bytes_per_second", balance.link);
  findings.json["link"]["where"] = link.pairs().where;
  findings.json["memory"] = measured(memory.samples(), "bytes_per_second", balance.memory);
  findings.json["transform"] =
      measured(transform.samples(), "operations_per_second", balance.transform);
  findings.json["transform"]["length"] = arguments.length;
  findings.json["balance"] = json_of(balance);
  return findings;
}

}  // namespace weft::net
