// MPI_Alltoallv: the portable transport; the algorithm is the MPI's choice.
#include "exchange/transport.hpp"

namespace weft {
namespace {

class Alltoallv : public RequestTransport {
 public:
  explicit Alltoallv(TransportContext context) : RequestTransport(std::move(context)) {
    for (int call = 0; call < table_.calls(); ++call) {
      Counts counts;
      for (int member = 0; member < table_.members; ++member) {
        counts.send.push_back(send_count(call, member));
        counts.send_offset.push_back(static_cast<int>(table_.to(call, member).offset));
        counts.receive.push_back(receive_count(call, member));
        counts.receive_offset.push_back(static_cast<int>(table_.from(call, member).offset));
      }
      counts_.push_back(std::move(counts));
    }
  }

  void launch(int call) override {
    const Counts& c = counts_[call];
    if (!overlapped_) {
      // Nothing runs in the meantime, and several MPIs are slower with nonblocking calls.
      check_mpi(MPI_Alltoallv(send_, c.send.data(), c.send_offset.data(), unit_, receive_,
                              c.receive.data(), c.receive_offset.data(), unit_, comm()),
                "MPI_Alltoallv");
      return;
    }
    requests(call).resize(1);
    check_mpi(MPI_Ialltoallv(send_, c.send.data(), c.send_offset.data(), unit_, receive_,
                             c.receive.data(), c.receive_offset.data(), unit_, comm(),
                             requests(call).data()),
              "MPI_Ialltoallv");
  }

 private:
  struct Counts {
    std::vector<int> send, send_offset, receive, receive_offset;
  };
  std::vector<Counts> counts_;
};

}  // namespace

TransportMethod alltoallv_transport() {
  return {.name = "alltoallv",
          .description = "MPI_Alltoallv; works everywhere",
          .traits = {.default_between_nodes = true, .modelled = true, .blocks_well = true},
          .make = make_transport<Alltoallv>};
}

}  // namespace weft
