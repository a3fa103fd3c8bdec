// The scheduled pairwise exchange in place: block b of rank r is swapped with block r of rank b, so
// that slabs are transposed within the caller's result array. This costs an extra sweep that makes
// blocks contiguous, and it requires blocks of equal size.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "exchange/block_transpose.hpp"
#include "exchange/exchange.hpp"
#include "exchange/peer_orders.hpp"

namespace weft {
namespace {

// A block is sent in pieces of at most this many bytes: large enough to hide a message's latency,
// small enough to still be cached when a piece is copied to its destination.
constexpr Index piece_limit = Index{256} << 10;
// Pieces in flight at a time.
constexpr int slots = 2;

/// A rank's array as the exchange sees it: a matrix of `rows` x positions chunks whose columns are
/// blocks. The array has this form before the exchange if the slowest axis is split before it, and
/// after the exchange if it is split after it.
struct Blocks {
  Index rows = 1;
  Index chunk = 0;  ///< bytes
  bool slowest_before = false;
  bool stay = false;  ///< nothing to exchange
  Index bytes() const { return rows * chunk; }
};

Blocks blocks_of(const Geometry& geometry, int rank) {
  Blocks blocks;
  blocks.stay = geometry.stays() || geometry.from.position_of(rank) < 0;
  if (blocks.stay) return blocks;
  const Box& box = geometry.from.box(0);
  const int slowest = geometry.order[0];
  const int positions = geometry.from.positions();
  blocks.slowest_before = box.extent(slowest) < geometry.from.global()[slowest];
  blocks.rows =
      blocks.slowest_before ? box.extent(slowest) : geometry.from.global()[slowest] / positions;
  blocks.chunk = box.volume() * geometry.element.bytes() / positions / blocks.rows;
  return blocks;
}

Index piece_bytes(const Blocks& blocks, const ExchangeSetting& setting) {
  const Index most =
      setting.count_limit > 0 ? std::min(setting.count_limit, piece_limit) : piece_limit;
  return std::clamp<Index>(blocks.bytes(), 1, most);
}

Index pieces_of(const Blocks& blocks, const ExchangeSetting& setting) {
  const Index piece = piece_bytes(blocks, setting);
  return (blocks.bytes() + piece - 1) / piece;
}

class PairwiseInPlace : public Exchange {
 public:
  explicit PairwiseInPlace(ExchangeContext context)
      : context_(std::move(context)),
        blocks_(blocks_of(context_.geometry, context_.rank)),
        piece_(piece_bytes(blocks_, context_.setting)),
        pieces_(pieces_of(blocks_, context_.setting)) {
    if (blocks_.stay) return;
    for (const PeerStep& step : pairwise_order(comm_rank(), comm_size()))
      if (step.send_to >= 0) peers_.push_back(step.send_to);
    total_ = pieces_ * std::ssize(peers_);
    done_ = total_;
  }

  void bind(std::byte* array) override { array_ = array; }
  View outgoing(int) const override { return whole(context_.geometry.from); }
  View incoming(int) const override { return whole(context_.geometry.to); }
  bool acquire(int) override { return true; }

  bool start(int, int) override {
    if (blocks_.stay) return true;
    if (blocks_.slowest_before)
      transpose_blocks(array_, blocks_.rows, comm_size(), blocks_.chunk, scratch());
    arrived_ = false;
    next_ = done_ = 0;
    while (next_ < std::min<Index>(slots, total_)) post();
    return true;
  }

  bool test() override { return advance(); }

  bool finish(int) override {
    if (arrived_) return true;
    if (!advance()) return false;
    arrived_ = true;
    if (!blocks_.slowest_before)
      transpose_blocks(array_, comm_size(), blocks_.rows, blocks_.chunk, scratch());
    return true;
  }

  void release(int) override {}

 private:
  using Pair = std::array<MPI_Request, 2>;

  int comm_rank() const { return context_.communicator.rank(); }
  int comm_size() const { return context_.communicator.size(); }

  /// A view with a null base; the array is bound later.
  View whole(const Layout& layout) const {
    const Box& box = layout.box(context_.rank);
    const Geometry& geometry = context_.geometry;
    return {{nullptr},
            {{box, 0, byte_strides(box.extents(), geometry.order, geometry.element.bytes())}}};
  }

  std::byte* slot(Index number) const { return context_.receive + number % slots * piece_; }
  /// The slots as scratch memory; free whenever nothing is in flight.
  std::span<std::byte> scratch() const {
    return {context_.receive, static_cast<std::size_t>(slots * piece_)};
  }

  int peer_of(Index number) const { return peers_[number / pieces_]; }
  std::byte* place_of(Index number) const {
    return array_ + peer_of(number) * blocks_.bytes() + number % pieces_ * piece_;
  }
  int count_of(Index number) const {
    return static_cast<int>(std::min(piece_, blocks_.bytes() - number % pieces_ * piece_));
  }

  void post() {
    const Index number = next_++;
    Pair& pair = requests_[number % slots];
    const MPI_Comm comm = context_.communicator.get();
    check_mpi(
        MPI_Irecv(slot(number), count_of(number), MPI_BYTE, peer_of(number), 0, comm, &pair[0]),
        "MPI_Irecv");
    check_mpi(
        MPI_Isend(place_of(number), count_of(number), MPI_BYTE, peer_of(number), 0, comm, &pair[1]),
        "MPI_Isend");
  }

  /// Copies each received piece over the piece that was sent from there; true if all are done.
  bool advance() {
    while (done_ < total_) {
      Pair& pair = requests_[done_ % slots];
      int over = 0;
      check_mpi(MPI_Testall(2, pair.data(), &over, MPI_STATUSES_IGNORE), "MPI_Testall");
      if (!over) return false;
      std::memcpy(place_of(done_), slot(done_), static_cast<std::size_t>(count_of(done_)));
      ++done_;
      if (next_ < total_) post();
    }
    return true;
  }

  ExchangeContext context_;
  Blocks blocks_;
  Index piece_;
  Index pieces_;
  std::vector<int> peers_;
  std::byte* array_ = nullptr;
  std::array<Pair, slots> requests_{};
  Index total_ = 0;  // pieces for all peers
  Index next_ = 0;
  Index done_ = 0;
  bool arrived_ = true;
};

/// The only axis that is split, or -1 if none or several are.
int split_axis(const Layout& layout) {
  int split = -1;
  for (int axis = 0; axis < layout.global().size(); ++axis) {
    if (layout.is_local(axis)) continue;
    if (split >= 0) return -1;
    split = axis;
  }
  return split;
}

[[noreturn]] void refuse(const std::string& what, const std::string& valid) {
  throw Error(fmt::format("exchange pairwise_in_place: {}; valid {}", what, valid));
}

/// Throws unless every rank with a position holds an equal part of that axis, in their order.
void require_equal_parts(const Layout& layout, int axis) {
  const Index length = layout.global()[axis];
  const int positions = layout.positions();
  if (length % positions != 0)
    refuse(fmt::format("axis {} has {} elements on {} ranks", axis, length, positions),
           "is a multiple of the number of ranks along the two axes that are split");
  for (int position = 0; position < positions; ++position) {
    const int rank = position * layout.stride_of_ranks();
    Box part = Box::whole(layout.global());
    part.lower[axis] = length / positions * position;
    part.upper[axis] = length / positions * (position + 1);
    if (part != layout.box(rank))
      refuse(fmt::format("rank {} holds {}", rank, to_string(layout.box(rank))),
             "are equal slabs in the order of ranks");
  }
}

void check(const Geometry& geometry) {
  if (!geometry.kept.empty()) refuse("modes are left out between passes", "is without modes");
  if (geometry.stays()) return;
  const int before = split_axis(geometry.from);
  const int after = split_axis(geometry.to);
  if (before < 0 || after < 0)
    refuse(fmt::format("data go from {} to {}", to_string(geometry.from), to_string(geometry.to)),
           "are slabs on both sides (decomposition=slab)");
  const int slowest = geometry.order[0];
  const int second = geometry.order[1];
  if (std::minmax(before, after) != std::minmax(slowest, second))
    refuse(fmt::format("slabs are split along axes {} and {}, in memory order {}", before, after,
                       fmt::join(geometry.order, " ")),
           "is to split along the two slowest axes of that order");
  if (geometry.from.positions() != geometry.to.positions() ||
      geometry.from.stride_of_ranks() != geometry.to.stride_of_ranks())
    refuse(fmt::format("data go from {} to {}", to_string(geometry.from), to_string(geometry.to)),
           "are slabs of the same ranks on both sides");
  require_equal_parts(geometry.from, before);
  require_equal_parts(geometry.to, after);
}

MemoryNeeds memory(const Geometry& geometry, int rank, const ExchangeSetting& setting) {
  MemoryNeeds needs;
  const Blocks blocks = blocks_of(geometry, rank);
  if (!blocks.stay) needs.receive = static_cast<std::size_t>(slots * piece_bytes(blocks, setting));
  return needs;
}

Geometry::Traffic sent(const Geometry& geometry, int rank, const ExchangeSetting& setting) {
  Geometry::Traffic traffic = geometry.sent_by(rank);
  if (traffic.messages > 0)
    traffic.messages *= static_cast<int>(pieces_of(blocks_of(geometry, rank), setting));
  return traffic;
}

}  // namespace

ExchangeMethod pairwise_in_place_method() {
  return {.name = "pairwise_in_place",
          .description =
              "blocks swap places within the result array, one partner at a time: no "
              "buffer but two pieces",
          .traits = {.for_every_plan = false,
                     .in_result_array = true,
                     .device_reach = DeviceReach::host,
                     .partners = pairwise_order},
          .check = check,
          .memory = memory,
          .make = make_exchange<PairwiseInPlace>,
          .sent = sent};
}

}  // namespace weft
