// MPI sets up everything it can at planning: with MPI 4's persistent collective where available,
// else with persistent messages.
#include "exchange/transport.hpp"

namespace weft {
namespace {

constexpr bool has_collective = MPI_VERSION >= 4;

class Persistent : public RequestTransport {
 public:
  explicit Persistent(TransportContext context) : RequestTransport(std::move(context)) {
    prepared_.resize(table_.calls());
    for (int call = 0; call < table_.calls(); ++call) prepare(call);
  }
  ~Persistent() override {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized) return;
    for (int call = 0; call < table_.calls(); ++call)
      for (MPI_Request& request : prepared_[call]) MPI_Request_free(&request);
  }

  void launch(int call) override {
    requests(call) = prepared_[call];
    if (requests(call).empty()) return;  // Open MPI's MPI_Startall fails without requests
    check_mpi(MPI_Startall(static_cast<int>(requests(call).size()), requests(call).data()),
              "MPI_Startall");
  }

 private:
  std::vector<std::vector<MPI_Request>> prepared_;  // by call

#if MPI_VERSION >= 4
  struct Counts {
    std::vector<int> send, send_offset, receive, receive_offset;
  };
  std::vector<Counts> counts_;  // MPI reads them as long as its requests exist

  void prepare(int call) {
    counts_.resize(table_.calls());
    Counts& c = counts_[call];
    for (int member = 0; member < table_.members; ++member) {
      c.send.push_back(send_count(call, member));
      c.send_offset.push_back(static_cast<int>(table_.to(call, member).offset));
      c.receive.push_back(receive_count(call, member));
      c.receive_offset.push_back(static_cast<int>(table_.from(call, member).offset));
    }
    prepared_[call].resize(1);
    check_mpi(MPI_Alltoallv_init(send_, c.send.data(), c.send_offset.data(), unit_, receive_,
                                 c.receive.data(), c.receive_offset.data(), unit_, comm(),
                                 MPI_INFO_NULL, prepared_[call].data()),
              "MPI_Alltoallv_init");
  }
#else
  void prepare(int call) {
    for (int member = 0; member < table_.members; ++member) {
      if (send_count(call, member) > 0) {
        prepared_[call].push_back(MPI_REQUEST_NULL);
        check_mpi(MPI_Send_init(sent(call, member), send_count(call, member), unit_, member, call,
                                comm(), &prepared_[call].back()),
                  "MPI_Send_init");
      }
      if (receive_count(call, member) > 0) {
        prepared_[call].push_back(MPI_REQUEST_NULL);
        check_mpi(MPI_Recv_init(received(call, member), receive_count(call, member), unit_, member,
                                call, comm(), &prepared_[call].back()),
                  "MPI_Recv_init");
      }
    }
  }
#endif
};

}  // namespace

TransportMethod persistent_transport() {
  return {.name = "persistent",
          .description = has_collective
                             ? "MPI_Alltoallv_init: a persistent collective of MPI 4"
                             : "persistent messages (this MPI has no persistent collectives)",
          .make = make_transport<Persistent>};
}

}  // namespace weft
