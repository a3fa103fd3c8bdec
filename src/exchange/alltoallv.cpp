// MPI_Alltoallv from packed blocks: the portable method. One send buffer, and the MPI's own choice
// of algorithm; blocks arrive as the next gather reads them, so there is no unpacking.
#include <algorithm>

#include "exchange/block_buffers.hpp"

namespace weft {
namespace {

class Alltoallv : public Exchange {
 public:
  explicit Alltoallv(const ExchangeContext& context)
      : buffers_(context),
        communicator_(context.communicator),
        send_(context.send),
        receive_(context.receive),
        overlapped_(context.overlapped),
        calls_(buffers_.producer_chunks() * buffers_.consumer_chunks()) {
    for (int k = 0; k < buffers_.producer_chunks(); ++k)
      for (int j = 0; j < buffers_.consumer_chunks(); ++j) prepare(call(k, j), k, j);
    // Open MPI takes equal addresses for MPI_IN_PLACE, and may wait for ever: buffers that share
    // one (one of them is empty then) are told apart.
    const bool sends = std::ranges::any_of(calls_, [](const Call& c) {
      return std::ranges::any_of(c.send_counts, [](int count) { return count > 0; });
    });
    if (send_ == receive_) (sends ? receive_ : send_) = &nothing_;
    check_mpi(MPI_Type_contiguous(static_cast<int>(buffers_.unit_bytes()), MPI_BYTE, &unit_),
              "MPI_Type_contiguous");
    check_mpi(MPI_Type_commit(&unit_), "MPI_Type_commit");
  }
  ~Alltoallv() override {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized) MPI_Type_free(&unit_);
  }
  Alltoallv(const Alltoallv&) = delete;
  Alltoallv& operator=(const Alltoallv&) = delete;

  View outgoing(int k) const override { return buffers_.outgoing(k); }
  View incoming(int j) const override { return buffers_.incoming(j); }
  void acquire(int) override {}
  void release(int) override {}

  void start(int k, int j) override {
    if (buffers_.members() == 1) return;
    Call& c = call(k, j);
    if (!overlapped_) {
      // Nothing runs meanwhile, and several MPIs are slower when asked not to block.
      check_mpi(MPI_Alltoallv(send_, c.send_counts.data(), c.send_offsets.data(), unit_, receive_,
                              c.receive_counts.data(), c.receive_offsets.data(), unit_,
                              communicator_.get()),
                "MPI_Alltoallv");
      return;
    }
    check_mpi(MPI_Ialltoallv(send_, c.send_counts.data(), c.send_offsets.data(), unit_, receive_,
                             c.receive_counts.data(), c.receive_offsets.data(), unit_,
                             communicator_.get(), &c.request),
              "MPI_Ialltoallv");
  }

  bool test() override {
    bool all = true;
    for (Call& c : calls_) {
      if (c.request == MPI_REQUEST_NULL) continue;
      int done = 0;
      check_mpi(MPI_Test(&c.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      all = all && done;
    }
    return all;
  }

  void finish(int j) override {
    for (int k = 0; k < buffers_.producer_chunks(); ++k)
      check_mpi(MPI_Wait(&call(k, j).request, MPI_STATUS_IGNORE), "MPI_Wait");
  }

 private:
  struct Call {
    std::vector<int> send_counts, send_offsets, receive_counts, receive_offsets;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  Call& call(int k, int j) { return calls_[k * buffers_.consumer_chunks() + j]; }

  void prepare(Call& c, int k, int j) {
    for (int member = 0; member < buffers_.members(); ++member) {
      const bool self = buffers_.is_self(member);
      const auto& out = buffers_.sent(member, k, j);
      const auto& in = buffers_.received(member, k, j);
      c.send_counts.push_back(self ? 0 : static_cast<int>(out.count));
      c.send_offsets.push_back(self ? 0 : static_cast<int>(out.offset));
      c.receive_counts.push_back(self ? 0 : static_cast<int>(in.count));
      c.receive_offsets.push_back(self ? 0 : static_cast<int>(in.offset));
    }
  }

  BlockBuffers buffers_;
  Communicator communicator_;
  std::byte nothing_{};
  std::byte* send_;
  std::byte* receive_;
  bool overlapped_;
  std::vector<Call> calls_;
  MPI_Datatype unit_ = MPI_DATATYPE_NULL;
};

}  // namespace

ExchangeMethod alltoallv_method() {
  return {"alltoallv",
          "MPI_Alltoallv from blocks packed by the scatter; works everywhere",
          false,
          true,
          BlockBuffers::memory,
          [](ExchangeContext context) -> std::unique_ptr<Exchange> {
            return std::make_unique<Alltoallv>(context);
          }};
}

}  // namespace weft
