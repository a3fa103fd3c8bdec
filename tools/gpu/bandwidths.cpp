// All ranks do the same at once, as in exchanges: a rate is the share of one rank.
#include "gpu/bandwidths.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "exchange/exchange.hpp"
#include "job/device_connections.hpp"
#include "job/device_of_rank.hpp"
#include "samples.hpp"
#include "text.hpp"

namespace weft::command {
namespace {

constexpr std::size_t block_bytes = std::size_t{64} << 20;
constexpr int rounds = 7;

/// The rate that others are compared with.
struct Peak {
  double rate = 0;  ///< bytes per second; 0: unknown
  std::string name = {};
};

/// A step, the bytes that one rank moves in it, and the peak for its rate.
struct Way {
  std::string name;
  double bytes = 0;
  Step step;
  int share_of = -1;  ///< the number of another way, where the peak is not known; -1: none
  Peak peak = {};
};

/// The highest rates of this rank's device, as far as the machine says.
struct Peaks {
  Peak bus;
  Peak to_partner;  ///< the rank that it is paired with
};

/// The rank on the node that a rank is paired with. The last of an odd number of ranks has none.
int partner_of(int rank) { return rank ^ 1; }

/// Collective over the node.
Peaks peaks_of(const Job& job, const Device& device) {
  const std::vector<GpuPlace> gpus = gpus_of_node(job).gpus;
  const std::vector<std::string> buses = texts_of_ranks(job.node.get(), device.bus());
  const auto gpu_of = [&](int rank) {
    if (rank >= job.node.size()) return gpus.end();
    return std::ranges::find(gpus, buses[static_cast<std::size_t>(rank)], &GpuPlace::bus);
  };
  const auto own = gpu_of(job.node.rank()), other = gpu_of(partner_of(job.node.rank()));
  Peaks peaks;
  if (own == gpus.end()) return peaks;
  peaks.bus = {own->bus_rate, "the bus"};
  if (other == gpus.end() || other == own) return peaks;
  const double link = own->link_rates[static_cast<std::size_t>(other - gpus.begin())];
  peaks.to_partner =
      link > 0 ? Peak{link, "the link"} : Peak{std::min(own->bus_rate, other->bus_rate), "the bus"};
  return peaks;
}

/// Two arrays of this rank, and the windows of its node.
class Arrays {
 public:
  Arrays(const Job& job, Device& device) : device(device) {
    agree(job.communicator, [&] {
      first = device.memory().allocate(block_bytes, "a block to copy");
      second = device.memory().allocate(block_bytes, "a block to copy");
      sent = device.allocate_on_host(block_bytes);
      received = device.allocate_on_host(block_bytes);
    });
    if (job.topology.most_ranks_on_a_node() > 1)
      windows = device.memory().share(job.node, block_bytes);
  }

  Device& device;
  Memory first, second;                 // of the device
  Memory sent, received;                // of the host
  std::unique_ptr<NodeMemory> windows;  // null where every rank has a node to itself
};

void copy(Device& device, CopyWay way, std::byte* to, const std::byte* from, std::size_t bytes) {
  device.copy_stream(way)->copy(to, from, bytes);
}

void wait(Device& device, CopyWay way) { device.copy_stream(way)->synchronize(); }

/// Within the device, to the host and back.
std::vector<Way> ways_of_one_rank(Arrays& arrays, const Peak& bus) {
  const auto start = [&arrays](CopyWay way) {
    const bool leaves = way == CopyWay::to_host;
    const Memory& to = leaves ? arrays.received : arrays.first;
    const Memory& from = leaves ? arrays.second : arrays.sent;
    copy(arrays.device, way, to.data(), from.data(), block_bytes);
  };
  const auto copies = [&arrays, start](const std::vector<CopyWay>& ways) {
    return [&arrays, start, ways] {
      for (const CopyWay way : ways) start(way);
      for (const CopyWay way : ways) wait(arrays.device, way);
    };
  };
  constexpr double bytes = block_bytes;
  return {
      {"within the device", bytes,
       [&arrays] {
         arrays.device.copy(arrays.second.data(), arrays.first.data(), block_bytes);
         arrays.device.synchronize();
       }},
      {"host to device", bytes, copies({CopyWay::to_device}), -1, bus},
      {"device to host", bytes, copies({CopyWay::to_host}), -1, bus},
      {"both at once, each way", bytes, copies({CopyWay::to_device, CopyWay::to_host}), -1, bus}};
}

/// Into the windows of ranks of the node, by pairs and to all.
std::vector<Way> ways_on_node(const Job& job, Arrays& arrays, const Peak& link) {
  if (!arrays.windows) return {};
  const int own = job.node.rank();
  const int ranks = job.node.size();
  const int partner = partner_of(own);
  const auto push = [&arrays](int peer, std::size_t to, std::size_t bytes) {
    copy(arrays.device, CopyWay::to_peers, arrays.windows->of(peer) + to, arrays.first.data() + to,
         bytes);
  };
  const auto in_pairs = [&arrays, push, partner](bool sends) {
    return [&arrays, push, partner, sends] {
      if (sends) push(partner, 0, block_bytes);
      wait(arrays.device, CopyWay::to_peers);
    };
  };
  const auto part = block_bytes / static_cast<std::size_t>(ranks);
  const auto to_all = [&arrays, push, own, ranks, part] {
    for (int step = 1; step < ranks; ++step) {
      const int peer = (own + step) % ranks;
      push(peer, part * static_cast<std::size_t>(own), part);
    }
    wait(arrays.device, CopyWay::to_peers);
  };
  constexpr double bytes = block_bytes;
  const double all_bytes = static_cast<double>(part) * (ranks - 1);
  return {{"to the next rank of the node, one way", bytes,
           in_pairs(own % 2 == 0 && partner < ranks), 0, link},
          {"the same, both ways at once, each way", bytes, in_pairs(partner < ranks), 0, link},
          {"to all ranks of the node", all_bytes, to_all, 0}};
}

/// An all-to-all of one block by the method that plans take between nodes.
class MpiExchange {
 public:
  MpiExchange(const Job& job, Arrays& arrays, DevicePath path)
      : device_(arrays.device),
        mirror_(arrays.device, {span_of(arrays.first), span_of(arrays.second)}) {
    const TransportMethod& method = find_transport(default_exchange(Reach::between_nodes).name);
    TransportContext context;
    BlockTable& table = context.table;
    const Communicator& ranks = job.communicator;
    table.members = ranks.size();
    table.self = ranks.rank();
    table.unit = 4096;
    const Index part = static_cast<Index>(block_bytes) / table.unit / table.members;
    for (int member = 0; member < table.members; ++member)
      table.sent.push_back({0, member == table.self ? 0 : part});
    table.received = table.sent;
    table.lay_out();
    bytes_ = static_cast<double>(table.send_units * table.unit);
    context.send = arrays.first.data();
    context.receive = arrays.second.data();
    context.communicator = Communicator::duplicate(ranks.get());
    for (int member = 0; member < table.members; ++member)
      context.node.push_back(job.topology.node_of(member));
    transport_ = make_staged(method, std::move(context), {&device_, path, &mirror_});
    transport_->expect_overlap(false);
  }

  double bytes() const { return bytes_; }
  void run() {
    transport_->start(0, 0);
    while (!transport_->finish(0)) transport_->test();
    device_.synchronize();
  }

 private:
  static std::span<std::byte> span_of(const Memory& memory) {
    return {memory.data(), memory.size()};
  }

  Device& device_;
  HostMirror mirror_;
  double bytes_ = 0;
  std::unique_ptr<Transport> transport_;
};

/// The same by messages of the devices.
class MessageExchange {
 public:
  /// Throws an Error on all ranks where there are none.
  MessageExchange(const Job& job, Arrays& arrays) : device_(arrays.device) {
    const int ranks = job.communicator.size();
    const std::size_t part = block_bytes / static_cast<std::size_t>(ranks);
    std::vector<int> peers;
    for (int peer = 0; peer < ranks; ++peer) {
      if (peer == job.communicator.rank()) continue;
      const std::size_t place = part * static_cast<std::size_t>(peer);
      sent_.push_back({peer, arrays.first.data() + place, part});
      received_.push_back({peer, arrays.second.data() + place, part});
      peers.push_back(peer);
    }
    messages_ = connected_messages(job.communicator, device_, peers);
  }

  double bytes() const {
    return static_cast<double>(sent_.size()) * static_cast<double>(sent_.front().bytes);
  }
  void run() {
    const SharedMark begin = device_.stream()->mark();
    SharedMark end;
    while (!end) end = messages_->exchange(sent_, received_, *begin);
    device_.stream()->wait_for(*end);
    device_.synchronize();
  }

 private:
  Device& device_;
  DeviceMessages* messages_ = nullptr;
  std::vector<DeviceMessages::Message> sent_, received_;
};

std::string table_of(const std::vector<Way>& ways, const std::vector<Timed>& times) {
  const auto rate = [&](std::size_t way) {
    return ways[way].bytes / times[way].samples().median();
  };
  Table table({"bandwidth of each rank, all at once", "rate", "", ""});
  for (std::size_t way = 0; way < ways.size(); ++way) {
    const int other = ways[way].share_of;
    const Peak peak = ways[way].peak.rate > 0 ? ways[way].peak
                      : other >= 0            ? Peak{rate(static_cast<std::size_t>(other)),
                                          ways[static_cast<std::size_t>(other)].name}
                                              : Peak{};
    table.add({ways[way].name, rate_text(rate(way)),
               peak.rate > 0 ? share_text(rate(way) / peak.rate) : "",
               peak.rate > 0 ? fmt::format("of {} ({})", peak.name, rate_text(peak.rate)) : ""});
  }
  return table.text("lrrl");
}

}  // namespace

std::string bandwidths_text(const Job& job, Device& device, DevicePath path) {
  if (device.stream() == nullptr) return "";
  Arrays arrays(job, device);
  const Peaks peaks = peaks_of(job, device);
  std::vector<Way> ways = ways_of_one_rank(arrays, peaks.bus);
  constexpr int within = 0;
  const int bus = static_cast<int>(ways.size()) - 1;  // both at once
  for (Way& way : ways_on_node(job, arrays, peaks.to_partner)) ways.push_back(std::move(way));
  std::optional<MpiExchange> staged, direct;
  const auto add_mpi = [&](std::optional<MpiExchange>& exchange, DevicePath by) {
    exchange.emplace(job, arrays, by);
    ways.push_back({fmt::format("to all ranks by MPI, {}", to_string(by)), exchange->bytes(),
                    [&exchange] { exchange->run(); }, bus});
  };
  if (job.communicator.size() > 1) {
    add_mpi(staged, DevicePath::staged);
    if (path == DevicePath::direct) add_mpi(direct, path);
  }
  std::optional<MessageExchange> messages;
  std::string missing;
  if (job.communicator.size() > 1) try {
      messages.emplace(job, arrays);
      ways.push_back({"to all ranks by messages of the devices", messages->bytes(),
                      [&messages] { messages->run(); }, within});
    } catch (const Error& error) {
      missing = fmt::format("  no messages of the devices: {}\n", error.what());
    }
  std::vector<Timed> times;
  for (const Way& way : ways) times.emplace_back(job.communicator.get(), way.step);
  std::vector<Step> turns;
  for (Timed& time : times) turns.emplace_back([&time] { time.take(); });
  drained_on_error(device, [&] { take_turns(job.communicator.get(), rounds, turns); });
  return table_of(ways, times) + missing;
}

}  // namespace weft::command
