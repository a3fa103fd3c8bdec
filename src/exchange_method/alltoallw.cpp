// MPI_Alltoallw with derived datatypes, which describe blocks within plain arrays, so that passes
// need not order data by destination. Whether this beats packing depends on the MPI.
#include <algorithm>
#include <utility>

#include "exchange/call_queue.hpp"
#include "exchange/exchange.hpp"

namespace weft {
namespace {

/// The datatype of a box within an array.
MPI_Datatype subarray(const Box& box, const Box& array, const Order& order, MPI_Datatype element) {
  std::vector<int> sizes, extents, starts;
  for (int axis : order) {
    sizes.push_back(static_cast<int>(array.extent(axis)));
    extents.push_back(static_cast<int>(box.extent(axis)));
    starts.push_back(static_cast<int>(box.lower[axis] - array.lower[axis]));
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), extents.data(),
                                     starts.data(), MPI_ORDER_C, element, &type),
            "MPI_Type_create_subarray");
  return type;
}

/// Boxes within an array, as one MPI datatype.
class Subarray {
 public:
  Subarray(const std::vector<Box>& boxes, const Box& array, const Order& order,
           MPI_Datatype element) {
    if (boxes.empty()) return;
    std::vector<MPI_Datatype> parts;
    for (const Box& box : boxes) parts.push_back(subarray(box, array, order, element));
    const std::vector<int> once(parts.size(), 1);
    const std::vector<MPI_Aint> start(parts.size(), 0);
    check_mpi(MPI_Type_create_struct(static_cast<int>(parts.size()), once.data(), start.data(),
                                     parts.data(), &type_),
              "MPI_Type_create_struct");
    check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
    for (MPI_Datatype& part : parts) MPI_Type_free(&part);
  }
  Subarray(Subarray&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  Subarray& operator=(Subarray&&) = delete;
  ~Subarray() {
    if (!is_finalized() && type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }
  int count() const { return type_ == MPI_DATATYPE_NULL ? 0 : 1; }
  MPI_Datatype type() const { return count() == 0 ? MPI_BYTE : type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

class Alltoallw : public Exchange, private CallQueue {
 public:
  explicit Alltoallw(ExchangeContext context)
      : CallQueue(context.geometry.producer.count * context.geometry.consumer.count,
                  context.setting.in_flight, nullptr),
        context_(std::move(context)) {
    const Geometry& geometry = context_.geometry;
    MPI_Datatype element = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_contiguous(static_cast<int>(geometry.element.bytes()), MPI_BYTE, &element),
              "MPI_Type_contiguous");
    // The standard does not ask for this where a type is only a part of others; SMPI does.
    check_mpi(MPI_Type_commit(&element), "MPI_Type_commit");
    for (int k = 0; k < geometry.producer.count; ++k)
      for (int j = 0; j < geometry.consumer.count; ++j) calls_.push_back(make_call(k, j, element));
    MPI_Type_free(&element);
  }

  View outgoing(int k) const override {
    const Geometry& geometry = context_.geometry;
    return part(geometry.from.box(context_.rank), geometry.produced(context_.rank, k),
                context_.send);
  }
  View incoming(int j) const override {
    const Geometry& geometry = context_.geometry;
    return part(geometry.to.box(context_.rank), geometry.consumed(context_.rank, j),
                context_.receive);
  }
  void expect_overlap(bool overlapped) override { overlapped_ = overlapped; }
  bool acquire(int) override { return true; }
  void release(int) override {}
  bool start(int k, int j) override {
    enqueue(number(k, j));
    return true;
  }
  bool test() override { return advance_all(); }

  bool finish(int j) override {
    advance_all();
    for (int k = 0; k < context_.geometry.producer.count; ++k)
      if (!advance_until_over(number(k, j))) return false;
    return true;
  }

 private:
  struct Call {
    std::vector<Subarray> subarrays;  // own the types below
    std::vector<int> send_counts, receive_counts, zeros;
    std::vector<MPI_Datatype> send_types, receive_types;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  int number(int k, int j) const { return k * context_.geometry.consumer.count + j; }

  void launch(int call) override {
    Call& c = calls_[call];
    if (!overlapped_) {
      check_mpi(MPI_Alltoallw(context_.send, c.send_counts.data(), c.zeros.data(),
                              c.send_types.data(), context_.receive, c.receive_counts.data(),
                              c.zeros.data(), c.receive_types.data(), context_.communicator.get()),
                "MPI_Alltoallw");
      return;
    }
    check_mpi(
        MPI_Ialltoallw(context_.send, c.send_counts.data(), c.zeros.data(), c.send_types.data(),
                       context_.receive, c.receive_counts.data(), c.zeros.data(),
                       c.receive_types.data(), context_.communicator.get(), &c.request),
        "MPI_Ialltoallw");
  }

  bool advance(int call) override {
    if (calls_[call].request == MPI_REQUEST_NULL) return true;  // it has blocked until its end
    int done = 0;
    check_mpi(MPI_Test(&calls_[call].request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  }

  Call make_call(int k, int j, MPI_Datatype element) const {
    const Geometry& geometry = context_.geometry;
    Call c;
    for (int peer : context_.group) {
      const Subarray& out =
          c.subarrays.emplace_back(geometry.block(context_.rank, peer, k, j),
                                   geometry.from.box(context_.rank), geometry.order, element);
      c.send_counts.push_back(out.count());
      c.send_types.push_back(out.type());
      const Subarray& in =
          c.subarrays.emplace_back(geometry.block(peer, context_.rank, k, j),
                                   geometry.to.box(context_.rank), geometry.order, element);
      c.receive_counts.push_back(in.count());
      c.receive_types.push_back(in.type());
    }
    c.zeros.assign(context_.group.size(), 0);
    return c;
  }

  View part(const Box& box, const Box& wanted, std::byte* base) const {
    const Geometry& geometry = context_.geometry;
    const Piece array{box, 0,
                      byte_strides(box.extents(), geometry.order, geometry.element.bytes())};
    return view_of(base, array, geometry.kept_of(wanted));
  }

  ExchangeContext context_;
  std::vector<Call> calls_;
  bool overlapped_ = true;
};

MemoryNeeds memory(const Geometry& geometry, int rank, const ExchangeSetting&) {
  // Never empty, so that the two buffers never have the same address: some MPIs interpret that as
  // MPI_IN_PLACE.
  const auto bytes = [&](const Box& box) {
    return static_cast<std::size_t>(std::max<Index>(1, box.volume() * geometry.element.bytes()));
  };
  return {.send = bytes(geometry.from.box(rank)), .receive = bytes(geometry.to.box(rank))};
}

}  // namespace

ExchangeMethod alltoallw_method() {
  return {.name = "alltoallw",
          .description = "MPI_Alltoallw with derived datatypes between plain arrays",
          .traits = {.device_reach = DeviceReach::host},
          .memory = memory,
          .make = make_exchange<Alltoallw>};
}

}  // namespace weft
