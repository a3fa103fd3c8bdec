// One communicating rank (leader) per node: ranks of the node scatter into its segment, ordered by
// destination node; leaders exchange node-sized blocks; ranks of the node gather from the segment.
// This sends far fewer and larger messages, but one rank does all of the sending.
#include <algorithm>

#include "exchange/block_buffers.hpp"
#include "exchange/slot_exchange.hpp"
#include "exchange/staged.hpp"
#include "exchange/transport.hpp"

namespace weft {
namespace {

/// Where blocks lie in the segment of a group's leader: a send and a receive area of node-sized
/// runs, and the blocks between ranks of this node. Every rank of the node computes the same.
class NodeBlocks {
 public:
  NodeBlocks(const Geometry& geometry, int rank, const ExchangeSetting& setting)
      : geometry_(geometry) {
    std::vector<int> names;
    for (int member : geometry.group_of(rank)) {
      const int name = setting.topology.node_of(member);
      const auto number = std::ranges::find(names, name) - names.begin();
      if (number == std::ssize(names)) {
        names.push_back(name);
        nodes_.emplace_back();
      }
      nodes_[number].push_back(member);
    }
    own_node_ =
        static_cast<int>(std::ranges::find(names, setting.topology.node_of(rank)) - names.begin());
    std::size_t most = 1;
    for (const auto& node : nodes_) most = std::max(most, node.size());
    table_.unit = unit_bytes(geometry, setting.count_limit, static_cast<Index>(most));
    table_.members = static_cast<int>(nodes_.size());
    table_.self = own_node_;
    table_.producer_chunks = geometry.producer.count;
    table_.consumer_chunks = geometry.consumer.count;
    const bool equal_room = find_transport(setting.inter_node).equal_room;
    for (int k = 0; k < table_.producer_chunks; ++k)
      for (int j = 0; j < table_.consumer_chunks; ++j) count_call(k, j, equal_room);
    table_.lay_out();
  }

  const BlockTable& table() const { return table_; }
  const std::vector<int>& mates() const { return nodes_[own_node_]; }
  int nodes() const { return static_cast<int>(nodes_.size()); }
  int leader(int node) const { return nodes_[node].front(); }
  int own_leader() const { return leader(own_node_); }

  std::size_t send_bytes() const { return bytes_of(table_.send_units); }
  std::size_t receive_bytes() const { return bytes_of(table_.receive_units); }
  std::size_t bytes() const { return send_bytes() + receive_bytes() + bytes_of(local_units_); }

  /// Calls visit(box, bytes from the start of the segment) for the blocks of (k, j) that `rank`, a
  /// rank of this node, writes (if `writes`) or reads.
  template <class Visit>
  void visit(int rank, bool writes, int k, int j, Visit&& visit) const {
    const int call = table_.call(k, j);
    for (int node = 0; node < nodes(); ++node) {
      const auto& sources = nodes_[writes ? own_node_ : node];
      const auto& destinations = nodes_[writes ? node : own_node_];
      Index unit = node == own_node_
                       ? table_.send_units + table_.receive_units + local_offset_[call]
                   : writes ? table_.to(call, node).offset
                            : table_.send_units + table_.from(call, node).offset;
      for (int source : sources)
        for (int destination : destinations) {
          Index offset = unit * table_.unit;
          if ((writes ? source : destination) == rank)
            for (const Box& box : geometry_.block(source, destination, k, j)) {
              visit(box, offset);
              offset += box.volume() * geometry_.element.bytes();
            }
          unit += units(geometry_.block_volume(source, destination, k, j));
        }
    }
  }

 private:
  Index units(Index elements) const {
    return units_of(elements, geometry_.element.bytes(), table_.unit);
  }
  std::size_t bytes_of(Index units) const { return static_cast<std::size_t>(units * table_.unit); }

  Index between(int from, int to, int k, int j) const {
    Index sum = 0;
    for (int source : nodes_[from])
      for (int destination : nodes_[to])
        sum += units(geometry_.block_volume(source, destination, k, j));
    return sum;
  }

  void count_call(int k, int j, bool equal_room) {
    Index largest = 0;
    for (int node = 0; node < nodes(); ++node) {
      const bool self = node == own_node_;
      table_.sent.push_back({0, self ? 0 : between(own_node_, node, k, j)});
      table_.received.push_back({0, self ? 0 : between(node, own_node_, k, j)});
      for (int other = 0; equal_room && other < nodes(); ++other)
        if (other != node) largest = std::max(largest, between(node, other, k, j));
    }
    if (equal_room) table_.room.push_back(largest);
    local_offset_.push_back(local_units_);
    local_units_ += between(own_node_, own_node_, k, j);
  }

  Geometry geometry_;
  std::vector<std::vector<int>> nodes_;  // the group's ranks by node
  int own_node_ = 0;
  BlockTable table_;
  std::vector<Index> local_offset_;  // by call
  Index local_units_ = 0;
};

class TwoLevel : public SlotExchange {
 public:
  explicit TwoLevel(ExchangeContext context)
      : SlotExchange(std::move(context)),
        blocks_(context_.geometry, context_.rank, context_.setting),
        segment_(slot_.at(slot_.place_of(blocks_.own_leader()))),
        leads_(blocks_.own_leader() == context_.rank) {
    const bool is_idle =
        context_.group.size() == 1 && context_.geometry.from.box(context_.rank).empty();
    for (int mate : context_.setting.topology.mates_of(context_.rank))
      if (!is_idle) node_.push_back(slot_.place_of(mate));
    for (int mate : blocks_.mates()) mates_.push_back(slot_.place_of(mate));
    if (blocks_.nodes() == 1 || !leads_) return;
    TransportContext moved;
    moved.table = blocks_.table();
    moved.send = segment_;
    moved.receive = segment_ + blocks_.send_bytes();
    moved.communicator = context_.leaders;
    for (int node = 0; node < blocks_.nodes(); ++node)
      moved.node.push_back(context_.setting.topology.node_of(blocks_.leader(node)));
    moved.in_flight = context_.setting.in_flight;
    transport_ =
        make_staged(find_transport(context_.setting.inter_node), std::move(moved), context_.memory);
  }

  void expect_overlap(bool overlapped) override {
    if (transport_) transport_->expect_overlap(overlapped);
  }

  View outgoing(int k) const override {
    View view{{segment_}, {}};
    for (int j = 0; j < consumers(); ++j) add_pieces(view, true, k, j);
    return view;
  }
  View incoming(int j) const override {
    View view{{segment_}, {}};
    for (int k = 0; k < producers(); ++k) add_pieces(view, false, k, j);
    return view;
  }

  /// Waits for all ranks of the node, not only this group: the segment may have served another
  /// exchange with different groups.
  bool acquire(int k) override { return k > 0 || slot_.is_open(node_); }

  bool start(int k, int j) override {
    slot_.produce(j);
    waiting_.push_back({k, j});
    if (transport_) launch();
    return true;
  }

  bool test() override {
    if (!transport_) return SlotExchange::test();
    launch();
    return transport_->test() && waiting_.empty();
  }
  bool needs_tests() const override { return transport_ != nullptr || SlotExchange::needs_tests(); }

  /// The leader adds one to its count of blocks of chunk j when they have arrived from everywhere.
  bool finish(int j) override {
    const int blocks = context_.geometry.blocks_of_chunk();
    if (!leads_) {
      if (!slot_.has_arrived({mates_.front()}, j, blocks + 1)) return false;
    } else {
      if (!slot_.has_arrived(mates_, j, blocks)) return false;
      // Only after has_arrived, so that all calls of chunk j have been started: the transport
      // treats a call that was never started as finished.
      if (transport_) launch();
      if (transport_ && !transport_->finish(j)) return false;
      slot_.produce(j);
    }
    if (is_last_chunk()) waiting_.clear();
    count_finished();
    return true;
  }

 private:
  struct Call {
    int k, j;
  };

  void add_pieces(View& view, bool writes, int k, int j) const {
    const Geometry& geometry = context_.geometry;
    blocks_.visit(context_.rank, writes, k, j, [&](const Box& box, Index offset) {
      view.pieces.push_back(
          {box, offset, byte_strides(box.extents(), geometry.order, geometry.element.bytes())});
    });
  }

  /// Starts the transport of blocks that all ranks of the group on this node have written, in the
  /// order of the schedule, which is the same on all leaders.
  void launch() {
    std::size_t ready = 0;
    for (; ready < waiting_.size(); ++ready) {
      const auto [k, j] = waiting_[ready];
      if (!slot_.has_arrived(mates_, j, context_.geometry.place_in_chunk(k))) break;
      transport_->start(k, j);
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(ready));
  }

  NodeBlocks blocks_;
  std::vector<int> node_;   // the places of all ranks of the plan on this rank's node; none if idle
  std::vector<int> mates_;  // the places of those in this group, the leader first
  std::byte* segment_;
  bool leads_;
  std::unique_ptr<Transport> transport_;  // on the leader, if there is another node
  std::vector<Call> waiting_;             // started here, but perhaps not by all mates
};

Geometry::Traffic sent(const Geometry& geometry, int rank, const ExchangeSetting& setting) {
  const NodeBlocks blocks(geometry, rank, setting);
  Geometry::Traffic traffic;
  if (blocks.own_leader() != rank) return traffic;
  const BlockTable& table = blocks.table();
  for (int call = 0; call < table.calls(); ++call)
    for (int node = 0; node < table.members; ++node) {
      if (node == table.self) continue;
      const Index units = table.room.empty() ? table.to(call, node).count : table.room[call];
      traffic.bytes += units * table.unit;
    }
  traffic.messages = traffic.bytes > 0 ? table.members - 1 : 0;
  return traffic;
}

}  // namespace

ExchangeMethod two_level_method() {
  return {.name = "two_level",
          .description = "gathers in the node's shared memory; one rank per node communicates",
          .traits = {.modelled = true, .gathers_on_nodes = true},
          .memory =
              [](const Geometry& geometry, int rank, const ExchangeSetting& setting) {
                const NodeBlocks blocks(geometry, rank, setting);
                const bool leads = blocks.own_leader() == rank;
                return MemoryNeeds{.window = leads ? blocks.bytes() : 0};
              },
          .make = make_exchange<TwoLevel>,
          .sent = sent};
}

}  // namespace weft
