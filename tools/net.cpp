// `weft net`: microbenchmarks of the network, and of computation during communication. Each
// measurement is one file in net/; this file parses their arguments.
#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <weft/error.hpp>
#include <weft/options.hpp>

#include "command.hpp"
#include "layout/split.hpp"
#include "net/measurement.hpp"
#include "net/pending_exchange.hpp"
#include "net/side_by_side.hpp"
#include "temporary_file.hpp"

namespace weft::command {
namespace {

struct NetArguments : net::Arguments {
  std::string size_list;
  std::string json;
};

// --- The sizes of messages as one types them: lists and geometric ranges ------------------------

constexpr Index largest_size = Index{1} << 30;  // MPI counts in an int

[[noreturn]] void refuse(const std::string& text) {
  throw Error(
      fmt::format("sizes \"{}\": give bytes from 1 to 1G, as a list (8,64K,1M) or a range "
                  "(8:1M, each four times the one before; 8:1M:2, twice)",
                  text));
}

/// 0 if the text is not a size.
Index parse_size(std::string_view text) {
  const std::size_t power = std::string_view("KMG").find(text.empty() ? ' ' : text.back()) + 1;
  if (power > 0) text.remove_suffix(1);
  const Index number = number_in<Index>(text).value_or(0);
  return number > 0 && number <= largest_size >> 10 * power ? number << 10 * power : 0;
}

/// "8,64K,1M" lists sizes; "8:1M" means 8 and then each four times the one before, up to 1M;
/// "8:1M:2" doubles. K, M and G are powers of 1024. Sorted, without duplicates. Throws an Error
/// that explains this.
std::vector<Index> parse_sizes(const std::string& text) {
  std::set<Index> sizes;
  for (const std::string& item : split(text, ',')) {
    const auto range = split(item, ':');
    const Index first = parse_size(range.front());
    const Index last = range.size() > 1 ? parse_size(range[1]) : first;
    const Index factor = range.size() > 2 ? parse_size(range[2]) : 4;
    if (first == 0 || last < first || factor < 2 || range.size() > 3) refuse(text);
    for (Index size = first; size <= last; size *= factor) sizes.insert(size);
  }
  return {sizes.begin(), sizes.end()};
}

// --- The options --------------------------------------------------------------------------------

using Adding = Subcommand<NetArguments>;

/// Adds one measurement to the parser.
Adding add(Command net, Action& chosen, const std::string& name, const std::string& description,
           net::Findings (*measure)(const net::Arguments&, const net::Job&)) {
  const auto run = [measure](NetArguments named, MPI_Comm communicator) {
    const net::Job job = net::find_job(communicator, named.ranks_per_node);
    if (job.ranks < 2) throw Error("net: one rank has nobody to talk to; start at least two");
    if (!named.size_list.empty()) named.sizes = parse_sizes(named.size_list);
    for (const std::string& policy : named.progress) net::parse_policy(policy);
    TemporaryFile json(communicator, named.json, 0);
    const net::Findings findings = measure(named, job);
    if (job.rank == 0) fmt::print("{}\n", findings.text);
    json.publish_text(findings.json.dump(2) + "\n");
  };
  const Adding adding = add_subcommand<NetArguments>(net, chosen, name, description, run);
  const auto& [command, arguments] = adding;
  command.add_positive("--repeats", arguments->repeats,
                       "How often everything takes its turn; medians count");
  command.add_positive(
      "--ranks-per-node", arguments->ranks_per_node,
      "Take so many consecutive ranks for a node, to try things out (default: nodes as "
      "they are)");
  add_json(command, arguments->json);
  return adding;
}

void add_sizes(const Adding& adding, const std::string& sizes) {
  adding.arguments->size_list = sizes;
  adding.command
      .add("--sizes", adding.arguments->size_list,
           "Bytes of a message: a list (8,64K,1M), or a range of which each is four times "
           "the one before (8:1M), or another factor (8:1M:2)")
      .shows_default();
}

void add_window(const Adding& adding) {
  adding.command.add_positive(
      "--window", adding.arguments->window,
      "Messages in flight; fewer of those that would fill more than 16 MiB");
}

void add_methods(const Adding& adding, const std::vector<std::string>& names) {
  add_names(adding.command, "--exchange", adding.arguments->methods,
            "The methods to measure (default: every one)", names);
}

void add_progress(const Adding& adding) {
  adding.arguments->progress = {"none", "poll:4", "poll:16", "poll:64", "thread"};
  adding.command
      .add("--progress", adding.arguments->progress,
           "Who lets MPI go on meanwhile: none; poll:16, 16 calls of MPI_Test per "
           "exchange; poll:50us, one after each 50 us of work; thread, a thread in MPI_Wait "
           "(asks MPI "
           "for MPI_THREAD_MULTIPLE, which slows all calls of some)")
      .separated_by_commas()
      .shows_default();
}

// --- The measurements ---------------------------------------------------------------------------

void add_point_to_point(Command net, Action& chosen) {
  const Adding latency =
      add(net, chosen, "latency",
          "How long a message takes, by its size: on one node and between nodes, one way and both "
          "at once; half the round trip.",
          net::measure_latency);
  add_sizes(latency, "1:1M");
  const Adding bandwidth =
      add(net, chosen, "bandwidth",
          "Bytes per second with many messages in flight, one way and both ways.",
          net::measure_bandwidth);
  add_sizes(bandwidth, "1:4M");
  add_window(bandwidth);
}

void add_collective(Command net, Action& chosen) {
  const Adding alltoall =
      add(net, chosen, "alltoall",
          "Bandwidth of all-to-all exchanges by Weft's methods, as a share of the link between "
          "nodes (on one node: of memory).",
          net::measure_alltoall);
  add_sizes(alltoall, "64:2M:8");
  add_window(alltoall);
  add_methods(alltoall, exchange_names());
  const Adding balance =
      add(net, chosen, "balance",
          "The machine's balance: bytes that link and memory move for each operation of an FFT in "
          "cache.",
          net::measure_balance);
  add_window(balance);
  balance.command.add("--length", balance.arguments->length, "Points of the transform in cache")
      .between(2, 1 << 20)
      .shows_default();
}

void add_side_by_side(Command net, Action& chosen) {
  const Adding overlap =
      add(net, chosen, "overlap",
          "How much of a non-blocking all-to-all hides behind arithmetic that takes as long.",
          net::measure_overlap);
  const Adding throughput =
      add(net, chosen, "throughput",
          "How much of dgemm's speed (OpenBLAS) is left beside an all-to-all.",
          net::measure_throughput);
  throughput.command
      .add("--matrix", throughput.arguments->matrix,
           "Rows of the matrices multiplied; polls lie between products")
      .between(1, 4096)
      .shows_default();
  for (const Adding& adding : {overlap, throughput}) {
    add_sizes(adding, "4K:1M:16");
    add_methods(adding, net::pending_exchange_names());
    add_progress(adding);
  }
}

}  // namespace

// In some MPIs all calls are slower if several threads may call, so this level is requested only
// for progress threads. If no policy is named, the default list includes a thread.
int thread_level_for(int argc, const char* const* argv) {
  const std::vector<std::string_view> words(argv + std::min(argc, 1), argv + argc);
  const auto any = [&words](auto&& is) { return std::ranges::any_of(words, is); };
  const bool beside_work =
      words.size() > 1 && words[0] == "net" && (words[1] == "overlap" || words[1] == "throughput");
  const bool named = any([](std::string_view word) { return word.starts_with("--progress"); });
  const bool threads = any([](std::string_view word) { return word.find("thread") != word.npos; });
  const bool in_options =
      any([](std::string_view word) { return word.find("progress=thread") != word.npos; });
  return in_options || (beside_work && (threads || !named)) ? MPI_THREAD_MULTIPLE
                                                            : MPI_THREAD_FUNNELED;
}

void add_net(Command program, Action& chosen) {
  Command net = program.add_subcommand(
      "net",
      "Microbenchmarks of the network: messages between ranks (latency, bandwidth), all-to-all\n"
      "exchanges (alltoall, balance), and computing beside them (overlap, throughput).");
  net.requires_subcommand();
  net.footer(
      "Everything takes its turn, over and over; the rank that takes longest counts, and of the\n"
      "repeats the median. alpha and beta are those of seconds = alpha + bytes / beta, fitted by\n"
      "least squares of relative residuals (whose root mean square is how far it is off).\n\n"
      "Example: four ranks as if on two nodes\n"
      "  mpiexec -n 4 weft net latency --ranks-per-node 2 --sizes 8:64K\n");
  add_point_to_point(net, chosen);
  add_collective(net, chosen);
  add_side_by_side(net, chosen);
}

}  // namespace weft::command
