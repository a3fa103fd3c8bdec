// MPI_Alltoall with every block padded to the largest, for MPIs whose best algorithms require equal
// blocks. With uneven layouts, ranks send more than they hold.
#include "exchange/transport.hpp"

namespace weft {
namespace {

class Alltoall : public RequestTransport {
 public:
  using RequestTransport::RequestTransport;

  void launch(int call) override {
    const int count = static_cast<int>(table_.room[call]);
    if (!overlapped_) {
      check_mpi(MPI_Alltoall(sent(call, 0), count, unit_, received(call, 0), count, unit_, comm()),
                "MPI_Alltoall");
      return;
    }
    requests(call).resize(1);
    check_mpi(MPI_Ialltoall(sent(call, 0), count, unit_, received(call, 0), count, unit_, comm(),
                            requests(call).data()),
              "MPI_Ialltoall");
  }
};

}  // namespace

TransportMethod alltoall_transport() {
  return {.name = "alltoall",
          .description = "MPI_Alltoall, blocks padded to the largest",
          .equal_room = true,
          .make = make_transport<Alltoall>};
}

}  // namespace weft
