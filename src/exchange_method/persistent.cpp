// MPI sets up everything it can at planning: with MPI 4's persistent collective where available,
// else with persistent messages.
#include <dlfcn.h>

#include "exchange/transport.hpp"

namespace weft {
namespace {

/// MPI 4's function if the MPI library of this process has it, whatever its headers say; else null.
using AlltoallvInit = int (*)(const void* send, const int send_counts[], const int send_offsets[],
                              MPI_Datatype send_type, void* receive, const int receive_counts[],
                              const int receive_offsets[], MPI_Datatype receive_type,
                              MPI_Comm communicator, MPI_Info info, MPI_Request* request);
AlltoallvInit alltoallv_init() {
  static const auto function =
      reinterpret_cast<AlltoallvInit>(dlsym(RTLD_DEFAULT, "MPI_Alltoallv_init"));
  return function;
}

class Persistent : public RequestTransport {
 public:
  explicit Persistent(TransportContext context) : RequestTransport(std::move(context)) {
    prepared_.resize(table_.calls());
    runs_.resize(table_.calls());
    for (int call = 0; call < table_.calls(); ++call)
      alltoallv_init() ? prepare_collective(call) : prepare_messages(call);
  }
  ~Persistent() override {
    if (is_finalized()) return;
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
  void prepare_collective(int call) {
    const Runs& runs = runs_[call] = runs_of(call);
    prepared_[call].resize(1);
    check_mpi(alltoallv_init()(send_, runs.send.data(), runs.send_offset.data(), unit_, receive_,
                               runs.receive.data(), runs.receive_offset.data(), unit_, comm(),
                               MPI_INFO_NULL, prepared_[call].data()),
              "MPI_Alltoallv_init");
  }

  void prepare_messages(int call) {
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

  std::vector<std::vector<MPI_Request>> prepared_;  // by call
  std::vector<Runs> runs_;  // by call; MPI reads them as long as its requests exist
};

}  // namespace

TransportMethod persistent_transport() {
  return {.name = "persistent",
          .description = alltoallv_init()
                             ? "MPI_Alltoallv_init: a persistent collective of MPI 4"
                             : "persistent messages (this MPI has no persistent collectives)",
          .make = make_transport<Persistent>};
}

}  // namespace weft
