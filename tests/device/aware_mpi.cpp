// Addresses of a device are replaced by those at which the host finds the same bytes.
#include "device/aware_mpi.hpp"

#include <mpi.h>

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "device/emulated_memory.hpp"

namespace weft::test {
namespace {

AwareMpi mpi;
int addresses = 0;
std::deque<std::vector<std::byte>> wrong_blocks;  // sent in place of others, some time

void count(const void* address) { addresses += is_emulated(address) ? 1 : 0; }

std::size_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
}

void* received(void* data) {
  count(data);
  return emulated_bytes(data);
}

const void* sent(const void* data, std::size_t bytes, bool is_collective) {
  count(data);
  const std::byte* const found = emulated_bytes(data);
  if (!is_emulated(data) || mpi.delivers(bytes, is_collective)) return found;
  wrong_blocks.emplace_back(found, found + bytes);
  for (std::byte& byte : wrong_blocks.back()) byte ^= std::byte{1};
  return wrong_blocks.back().data();
}

const void* sent(const void* data, int count, MPI_Datatype type) {
  return sent(data, bytes_of(count, type), false);
}

/// Blocks at several places, up to the end of the last.
const void* sent(const void* data, const int counts[], const int places[], MPI_Datatype type,
                 MPI_Comm comm) {
  int size = 0, end = 0;
  MPI_Comm_size(comm, &size);
  for (int rank = 0; rank < size; ++rank) end = std::max(end, places[rank] + counts[rank]);
  return sent(data, bytes_of(end, type), true);
}

const void* sent_to_all(const void* data, int count, MPI_Datatype type, MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return sent(data, bytes_of(count * size, type), true);
}

bool is_root(int root, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank == root;
}

bool fails(const void* address) { return mpi.status != MPI_SUCCESS && is_emulated(address); }

}  // namespace

void pretend(AwareMpi other) { mpi = std::move(other); }
int device_addresses() { return std::exchange(addresses, 0); }

}  // namespace weft::test

using namespace weft::test;

extern "C" {

/// Devices ask it; they look it up at run time.
int MPIX_Query_emulated_support() { return mpi.says_yes ? 1 : 0; }
int MPIX_Query_rocm_support() { return mpi.says_yes ? 1 : 0; }

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (fails(data)) return mpi.status;
  return PMPI_Isend(sent(data, count, type), count, type, to, tag, comm, request);
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return PMPI_Irecv(received(data), count, type, from, tag, comm, request);
}

int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* other,
                 int other_count, MPI_Datatype other_type, int from, int other_tag, MPI_Comm comm,
                 MPI_Status* status) {
  return PMPI_Sendrecv(sent(data, count, type), count, type, to, tag, received(other), other_count,
                       other_type, from, other_tag, comm, status);
}

int MPI_Send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  return PMPI_Send_init(sent(data, count, type), count, type, to, tag, comm, request);
}

int MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  return PMPI_Recv_init(received(data), count, type, from, tag, comm, request);
}

#if MPI_VERSION >= 4
int MPI_Alltoallv_init(const void* data, const int counts[], const int places[], MPI_Datatype type,
                       void* other, const int other_counts[], const int other_places[],
                       MPI_Datatype other_type, MPI_Comm comm, MPI_Info info,
                       MPI_Request* request) {
  return PMPI_Alltoallv_init(sent(data, counts, places, type, comm), counts, places, type,
                             received(other), other_counts, other_places, other_type, comm, info,
                             request);
}
#endif

int MPI_Alltoall(const void* data, int count, MPI_Datatype type, void* other, int other_count,
                 MPI_Datatype other_type, MPI_Comm comm) {
  return PMPI_Alltoall(sent_to_all(data, count, type, comm), count, type, received(other),
                       other_count, other_type, comm);
}

int MPI_Ialltoall(const void* data, int count, MPI_Datatype type, void* other, int other_count,
                  MPI_Datatype other_type, MPI_Comm comm, MPI_Request* request) {
  return PMPI_Ialltoall(sent_to_all(data, count, type, comm), count, type, received(other),
                        other_count, other_type, comm, request);
}

int MPI_Alltoallv(const void* data, const int counts[], const int places[], MPI_Datatype type,
                  void* other, const int other_counts[], const int other_places[],
                  MPI_Datatype other_type, MPI_Comm comm) {
  return PMPI_Alltoallv(sent(data, counts, places, type, comm), counts, places, type,
                        received(other), other_counts, other_places, other_type, comm);
}

int MPI_Ialltoallv(const void* data, const int counts[], const int places[], MPI_Datatype type,
                   void* other, const int other_counts[], const int other_places[],
                   MPI_Datatype other_type, MPI_Comm comm, MPI_Request* request) {
  return PMPI_Ialltoallv(sent(data, counts, places, type, comm), counts, places, type,
                         received(other), other_counts, other_places, other_type, comm, request);
}

int MPI_Gatherv(const void* data, int count, MPI_Datatype type, void* other, const int counts[],
                const int places[], MPI_Datatype other_type, int root, MPI_Comm comm) {
  return PMPI_Gatherv(sent(data, count, type), count, type, received(other), counts, places,
                      other_type, root, comm);
}

int MPI_Igatherv(const void* data, int count, MPI_Datatype type, void* other, const int counts[],
                 const int places[], MPI_Datatype other_type, int root, MPI_Comm comm,
                 MPI_Request* request) {
  return PMPI_Igatherv(sent(data, count, type), count, type, received(other), counts, places,
                       other_type, root, comm, request);
}

int MPI_Scatterv(const void* data, const int counts[], const int places[], MPI_Datatype type,
                 void* other, int count, MPI_Datatype other_type, int root, MPI_Comm comm) {
  const void* const own = is_root(root, comm) ? sent(data, counts, places, type, comm) : data;
  return PMPI_Scatterv(own, counts, places, type, received(other), count, other_type, root, comm);
}

int MPI_Iscatterv(const void* data, const int counts[], const int places[], MPI_Datatype type,
                  void* other, int count, MPI_Datatype other_type, int root, MPI_Comm comm,
                  MPI_Request* request) {
  const void* const own = is_root(root, comm) ? sent(data, counts, places, type, comm) : data;
  return PMPI_Iscatterv(own, counts, places, type, received(other), count, other_type, root, comm,
                        request);
}
}
