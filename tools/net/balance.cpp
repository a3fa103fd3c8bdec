// `weft net balance`: the rates at which the machine moves data and computes, as ratios, compared
// with what a transform needs. All ranks compute, copy and send at the same time, as in a
// transform.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <weft/plan.hpp>

#include "bench/copying.hpp"
#include "net/point_to_point.hpp"

namespace weft::net {
namespace {

using Complex = std::complex<double>;

/// Transforms of a few lines that stay in the cache, on every rank independently.
class CachedTransform {
 public:
  explicit CachedTransform(Index length)
      : length_(length),
        lines_(std::max<Index>(1, most_bytes / (length * static_cast<Index>(sizeof(Complex))))),
        plan_(MPI_COMM_SELF, Transform({lines_, length}, {Kind::none, Kind::c2c})),
        in_(static_cast<std::size_t>(lines_ * length), Complex(1, -1)),
        out_(in_.size()) {}
  void run() { plan_.forward(in_.data(), out_.data()); }
  /// Of one run, counting 5 n log2 n for a transform.
  double operations() const {
    const auto length = static_cast<double>(length_);
    return 5 * length * std::log2(length) * static_cast<double>(lines_);
  }
  Index lines() const { return lines_; }

 private:
  // The output takes as much again, in a level 2 cache.
  static constexpr Index most_bytes = 128 << 10;

  Index length_;
  Index lines_;
  Plan plan_;
  std::vector<Complex> in_, out_;
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
  return table.text("l");
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
  const auto copying = bench::make_copying(job.communicator, Options().device, 1);
  CachedTransform cached(arguments.length);
  Timed memory(job.communicator, [&] { copying->run(); });
  Timed transform(job.communicator, [&] { cached.run(); });
  take_turns(job.communicator, arguments.repeats,
             {[&] { link.take(), memory.take(), transform.take(); }});
  const auto nodes = static_cast<double>(job.nodes.size());
  const Balance balance = {link.bandwidth() / 2,
                           copying->bytes() / memory.samples().median() / nodes,
                           cached.operations() * job.ranks / transform.samples().median() / nodes};
  findings.text += fmt::format(
      "\n  link ({})  {}\n  memory  {}\n  {} transforms of length {}  {:.2f} GFLOP/s\n\n{}",
      link.pairs().name(), rate_text(balance.link), rate_text(balance.memory), cached.lines(),
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
