// Code shared by transports: run offsets, the datatype of a unit, waiting for requests.
#include "exchange/transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <weft/options.hpp>

#include "layout/names.hpp"

namespace weft {

bool BlockTable::sends_to(int member) const {
  for (int call = 0; call < calls(); ++call)
    if (to(call, member).count > 0) return true;
  return false;
}

bool BlockTable::receives_from(int member) const {
  for (int call = 0; call < calls(); ++call)
    if (from(call, member).count > 0) return true;
  return false;
}

void BlockTable::lay_out() {
  send_units = receive_units = 0;
  for (int c = 0; c < calls(); ++c)
    for (int member = 0; member < members; ++member) {
      Run& out = sent[c * members + member];
      Run& in = received[c * members + member];
      out.offset = send_units;
      in.offset = receive_units;
      send_units += room.empty() ? out.count : room[c];
      receive_units += room.empty() ? in.count : room[c];
    }
}

std::vector<std::string> inter_node_names() {
  std::vector<std::string> names;
  for (const TransportMethod& method : transports()) names.push_back(method.name);
  return names;
}

const TransportMethod& find_transport(const std::string& name) {
  const auto found = std::ranges::find(transports(), name, &TransportMethod::name);
  if (found == transports().end())
    throw Error(
        fmt::format("inter_node \"{}\": {}", name, valid_instead_of(name, inter_node_names())));
  return *found;
}

RequestTransport::RequestTransport(TransportContext context)
    : CallQueue(context.table.calls(), context.in_flight, context.stream),
      context_(std::move(context)),
      table_(context_.table),
      send_(context_.send),
      receive_(context_.receive),
      requests_(table_.calls()) {
  // Open MPI interprets equal addresses as MPI_IN_PLACE and may wait forever. Buffers have the same
  // address only if one of them is empty; that one gets another address.
  if (send_ == receive_) (table_.send_units > 0 ? receive_ : send_) = &nothing_;
  check_mpi(MPI_Type_contiguous(static_cast<int>(table_.unit), MPI_BYTE, &unit_),
            "MPI_Type_contiguous");
  check_mpi(MPI_Type_commit(&unit_), "MPI_Type_commit");
}

RequestTransport::~RequestTransport() {
  if (!is_finalized()) MPI_Type_free(&unit_);
}

MPI_Request RequestTransport::send(int call, int member) const {
  const int count = send_count(call, member);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Isend(sent(call, member), count, unit_, member, call, comm(), &request),
            "MPI_Isend");
  return request;
}

MPI_Request RequestTransport::receive(int call, int member) const {
  const int count = receive_count(call, member);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(received(call, member), count, unit_, member, call, comm(), &request),
            "MPI_Irecv");
  return request;
}

RequestTransport::Runs RequestTransport::runs_of(int call) const {
  Runs runs;
  for (int member = 0; member < table_.members; ++member) {
    runs.send.push_back(send_count(call, member));
    runs.send_offset.push_back(static_cast<int>(table_.to(call, member).offset));
    runs.receive.push_back(receive_count(call, member));
    runs.receive_offset.push_back(static_cast<int>(table_.from(call, member).offset));
  }
  return runs;
}

// Tests requests one by one: in MPICH 4.0, MPI_Testall fails on an active persistent collective.
bool RequestTransport::advance(int call) {
  auto& left = requests(call);
  while (!left.empty()) {
    int done = 0;
    check_mpi(MPI_Test(&left.back(), &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (!done) return false;
    left.pop_back();
  }
  return true;
}

bool RequestTransport::finish(int j) {
  advance_all();
  for (int k = 0; k < table_.producer_chunks; ++k)
    if (!advance_until_over(table_.call(k, j))) return false;
  return true;
}

}  // namespace weft
