// MPI_Alltoallv: the portable transport; the algorithm is the MPI's choice.
#include "exchange/transport.hpp"

namespace weft {
namespace {

class Alltoallv : public RequestTransport {
 public:
  explicit Alltoallv(TransportContext context) : RequestTransport(std::move(context)) {
    for (int call = 0; call < table_.calls(); ++call) runs_.push_back(runs_of(call));
  }

  void launch(int call) override {
    const Runs& runs = runs_[call];
    if (!overlapped_) {
      // Nothing runs in the meantime, and several MPIs are slower with nonblocking calls.
      check_mpi(MPI_Alltoallv(send_, runs.send.data(), runs.send_offset.data(), unit_, receive_,
                              runs.receive.data(), runs.receive_offset.data(), unit_, comm()),
                "MPI_Alltoallv");
      return;
    }
    requests(call).resize(1);
    check_mpi(MPI_Ialltoallv(send_, runs.send.data(), runs.send_offset.data(), unit_, receive_,
                             runs.receive.data(), runs.receive_offset.data(), unit_, comm(),
                             requests(call).data()),
              "MPI_Ialltoallv");
  }

 private:
  std::vector<Runs> runs_;  // by call
};

}  // namespace

TransportMethod alltoallv_transport() {
  return {.name = "alltoallv",
          .description = "MPI_Alltoallv; works everywhere",
          .traits = {.default_between_nodes = true, .modelled = true, .blocks_well = true},
          .make = make_transport<Alltoallv>};
}

}  // namespace weft
