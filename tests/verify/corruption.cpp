// Blocks are altered where they lie, packed and unpacked by MPI, so that every datatype will do.
#include "verify/corruption.hpp"

#include <mpi.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace weft::test {
namespace {

constexpr std::size_t smallest_block = 256;

/// One peer's data in a call of MPI.
struct Block {
  int peer = MPI_UNDEFINED;  // in MPI_COMM_WORLD
  void* data = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
};
using Blocks = std::vector<Block>;

std::optional<Corruption> wanted;
Blocks found;                            // of wanted->peers, so far
std::map<MPI_Request, Blocks> arriving;  // by request that is not over
// By request that may be started again.
std::map<MPI_Request, Blocks> persistent_sends, persistent_receives;
std::map<MPI_Win, Bytes> windows;

std::size_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
}

int world_rank_of(int rank, MPI_Comm communicator) {
  if (rank == MPI_PROC_NULL) return MPI_UNDEFINED;
  MPI_Group group, world;
  MPI_Comm_group(communicator, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int found = MPI_UNDEFINED;
  MPI_Group_translate_ranks(group, 1, &rank, world, &found);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  return found;
}

void alter(const Blocks& blocks) {
  std::vector<std::vector<std::byte>> copies;
  std::vector<Bytes> parts;
  for (const Block& block : blocks) {
    const std::size_t bytes = bytes_of(block.count, block.type);
    copies.emplace_back(bytes);
    int place = 0;
    PMPI_Pack(block.data, block.count, block.type, copies.back().data(), static_cast<int>(bytes),
              &place, MPI_COMM_SELF);
  }
  for (auto& copy : copies) parts.emplace_back(copy);
  wanted->alter(parts);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    int place = 0;
    PMPI_Unpack(copies[i].data(), static_cast<int>(copies[i].size()), &place, blocks[i].data,
                blocks[i].count, blocks[i].type, MPI_COMM_SELF);
  }
}

/// Looks at blocks that are about to be sent, or that have arrived.
void look_at(Moment moment, const Blocks& blocks) {
  for (const Block& block : blocks) {
    if (!wanted || moment != wanted->moment) return;
    if (bytes_of(block.count, block.type) < smallest_block) continue;
    const auto is_peer = [&](const Block& other) { return other.peer == block.peer; };
    if (std::ranges::find(wanted->peers, block.peer) == wanted->peers.end() ||
        std::ranges::any_of(found, is_peer) || wanted->skipped-- > 0)
      continue;
    found.push_back(block);
    if (found.size() < wanted->peers.size()) continue;
    alter(found);
    wanted.reset();
  }
}

Block block_of(const void* data, int count, MPI_Datatype type, int rank, MPI_Comm communicator) {
  return {world_rank_of(rank, communicator), const_cast<void*>(data), count, type};
}

/// The blocks of a collective call; displacements in bytes.
template <class Count, class Place, class Type>
Blocks blocks_of(const void* data, Count&& count, Place&& place, Type&& type, MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  Blocks blocks;
  for (int rank = 0; rank < size; ++rank)
    blocks.push_back(block_of(static_cast<const std::byte*>(data) + place(rank), count(rank),
                              type(rank), rank, comm));
  return blocks;
}

Blocks blocks_of(const void* data, const int counts[], const int places[], MPI_Datatype type,
                 MPI_Comm comm) {
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(type, &lower, &extent);
  return blocks_of(
      data, [=](int rank) { return counts[rank]; },
      [=](int rank) { return static_cast<std::ptrdiff_t>(places[rank]) * extent; },
      [=](int) { return type; }, comm);
}

Blocks blocks_of(const void* data, int count, MPI_Datatype type, MPI_Comm comm) {
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(type, &lower, &extent);
  return blocks_of(
      data, [=](int) { return count; },
      [=](int rank) { return static_cast<std::ptrdiff_t>(rank) * count * extent; },
      [=](int) { return type; }, comm);
}

Blocks blocks_of(const void* data, const int counts[], const int places[],
                 const MPI_Datatype types[], MPI_Comm comm) {
  return blocks_of(
      data, [=](int rank) { return counts[rank]; }, [=](int rank) { return places[rank]; },
      [=](int rank) { return types[rank]; }, comm);
}

/// The blocks at the root of a gather or scatter; nothing elsewhere, where counts mean nothing.
Blocks at_root(void* data, const int counts[], const int places[], MPI_Datatype type, int root,
               MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank == root ? blocks_of(data, counts, places, type, comm) : Blocks();
}

/// A call that begins to receive has returned its request.
int begun(int status, const MPI_Request* request, Blocks blocks) {
  arriving[*request] = std::move(blocks);
  return status;
}

/// A call that ends when its blocks have arrived has returned.
int over(int status, const Blocks& blocks) {
  look_at(Moment::arrived, blocks);
  return status;
}

void complete(MPI_Request request) {
  const auto at = arriving.find(request);
  if (at == arriving.end()) return;
  const Blocks blocks = std::move(at->second);
  arriving.erase(at);
  look_at(Moment::arrived, blocks);
}

}  // namespace

void corrupt_next(Corruption corruption) {
  found.clear();
  wanted = std::move(corruption);
}

bool was_corrupted() {
  const bool is_done = !wanted;
  wanted.reset();
  return is_done;
}

std::vector<Bytes> own_window_memory() {
  std::vector<Bytes> memory;
  for (const auto& [window, bytes] : windows) memory.push_back(bytes);
  return memory;
}

}  // namespace weft::test

using namespace weft::test;

extern "C" {

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  look_at(Moment::sending, {block_of(data, count, type, to, comm)});
  return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  look_at(Moment::sending, {block_of(data, count, type, to, comm)});
  return begun(PMPI_Isend(data, count, type, to, tag, comm, request), request, {});
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const int status = PMPI_Irecv(data, count, type, from, tag, comm, request);
  return begun(status, request, {block_of(data, count, type, from, comm)});
}

int MPI_Sendrecv(const void* sent, int count, MPI_Datatype type, int to, int tag, void* received,
                 int received_count, MPI_Datatype received_type, int from, int received_tag,
                 MPI_Comm comm, MPI_Status* status) {
  look_at(Moment::sending, {block_of(sent, count, type, to, comm)});
  return over(PMPI_Sendrecv(sent, count, type, to, tag, received, received_count, received_type,
                            from, received_tag, comm, status),
              {block_of(received, received_count, received_type, from, comm)});
}

int MPI_Send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  const int status = PMPI_Send_init(data, count, type, to, tag, comm, request);
  persistent_sends[*request] = {block_of(data, count, type, to, comm)};
  return status;
}

int MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  const int status = PMPI_Recv_init(data, count, type, from, tag, comm, request);
  persistent_receives[*request] = {block_of(data, count, type, from, comm)};
  return status;
}

#if MPI_VERSION >= 4
int MPI_Alltoallv_init(const void* sent, const int counts[], const int places[], MPI_Datatype type,
                       void* received, const int received_counts[], const int received_places[],
                       MPI_Datatype received_type, MPI_Comm comm, MPI_Info info,
                       MPI_Request* request) {
  const int status = PMPI_Alltoallv_init(sent, counts, places, type, received, received_counts,
                                         received_places, received_type, comm, info, request);
  persistent_sends[*request] = blocks_of(sent, counts, places, type, comm);
  persistent_receives[*request] =
      blocks_of(received, received_counts, received_places, received_type, comm);
  return status;
}
#endif

int MPI_Startall(int count, MPI_Request requests[]) {
  for (int i = 0; i < count; ++i) {
    look_at(Moment::sending, persistent_sends[requests[i]]);
    arriving[requests[i]] = persistent_receives[requests[i]];
  }
  return PMPI_Startall(count, requests);
}

int MPI_Request_free(MPI_Request* request) {
  persistent_sends.erase(*request);
  persistent_receives.erase(*request);
  return PMPI_Request_free(request);
}

int MPI_Test(MPI_Request* request, int* is_over, MPI_Status* status) {
  const MPI_Request before = *request;
  const int result = PMPI_Test(request, is_over, status);
  if (*is_over) complete(before);
  return result;
}

int MPI_Testall(int count, MPI_Request requests[], int* are_over, MPI_Status statuses[]) {
  const std::vector<MPI_Request> before(requests, requests + count);
  const int result = PMPI_Testall(count, requests, are_over, statuses);
  if (*are_over) std::ranges::for_each(before, complete);
  return result;
}

int MPI_Testsome(int count, MPI_Request requests[], int* done, int numbers[],
                 MPI_Status statuses[]) {
  const std::vector<MPI_Request> before(requests, requests + count);
  const int result = PMPI_Testsome(count, requests, done, numbers, statuses);
  for (int i = 0; *done != MPI_UNDEFINED && i < *done; ++i)
    complete(before[static_cast<std::size_t>(numbers[i])]);
  return result;
}

int MPI_Put(const void* data, int count, MPI_Datatype type, int to, MPI_Aint place,
            int target_count, MPI_Datatype target_type, MPI_Win window) {
  MPI_Group group, world;
  MPI_Win_get_group(window, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int peer = MPI_UNDEFINED;
  MPI_Group_translate_ranks(group, 1, &to, world, &peer);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  look_at(Moment::sending, {{peer, const_cast<void*>(data), count, type}});
  return PMPI_Put(data, count, type, to, place, target_count, target_type, window);
}

int MPI_Win_allocate_shared(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base,
                            MPI_Win* window) {
  const int status = PMPI_Win_allocate_shared(bytes, unit, info, comm, base, window);
  windows[*window] = {*static_cast<std::byte**>(base), static_cast<std::size_t>(bytes)};
  return status;
}

int MPI_Win_free(MPI_Win* window) {
  windows.erase(*window);
  return PMPI_Win_free(window);
}

int MPI_Alltoall(const void* sent, int count, MPI_Datatype type, void* received, int received_count,
                 MPI_Datatype received_type, MPI_Comm comm) {
  look_at(Moment::sending, blocks_of(sent, count, type, comm));
  return over(PMPI_Alltoall(sent, count, type, received, received_count, received_type, comm),
              blocks_of(received, received_count, received_type, comm));
}

int MPI_Ialltoall(const void* sent, int count, MPI_Datatype type, void* received,
                  int received_count, MPI_Datatype received_type, MPI_Comm comm,
                  MPI_Request* request) {
  look_at(Moment::sending, blocks_of(sent, count, type, comm));
  const int status =
      PMPI_Ialltoall(sent, count, type, received, received_count, received_type, comm, request);
  return begun(status, request, blocks_of(received, received_count, received_type, comm));
}

int MPI_Alltoallv(const void* sent, const int counts[], const int places[], MPI_Datatype type,
                  void* received, const int received_counts[], const int received_places[],
                  MPI_Datatype received_type, MPI_Comm comm) {
  look_at(Moment::sending, blocks_of(sent, counts, places, type, comm));
  return over(PMPI_Alltoallv(sent, counts, places, type, received, received_counts, received_places,
                             received_type, comm),
              blocks_of(received, received_counts, received_places, received_type, comm));
}

int MPI_Ialltoallv(const void* sent, const int counts[], const int places[], MPI_Datatype type,
                   void* received, const int received_counts[], const int received_places[],
                   MPI_Datatype received_type, MPI_Comm comm, MPI_Request* request) {
  look_at(Moment::sending, blocks_of(sent, counts, places, type, comm));
  const int status = PMPI_Ialltoallv(sent, counts, places, type, received, received_counts,
                                     received_places, received_type, comm, request);
  return begun(status, request,
               blocks_of(received, received_counts, received_places, received_type, comm));
}

int MPI_Alltoallw(const void* sent, const int counts[], const int places[],
                  const MPI_Datatype types[], void* received, const int received_counts[],
                  const int received_places[], const MPI_Datatype received_types[], MPI_Comm comm) {
  look_at(Moment::sending, blocks_of(sent, counts, places, types, comm));
  return over(PMPI_Alltoallw(sent, counts, places, types, received, received_counts,
                             received_places, received_types, comm),
              blocks_of(received, received_counts, received_places, received_types, comm));
}

int MPI_Ialltoallw(const void* sent, const int counts[], const int places[],
                   const MPI_Datatype types[], void* received, const int received_counts[],
                   const int received_places[], const MPI_Datatype received_types[], MPI_Comm comm,
                   MPI_Request* request) {
  look_at(Moment::sending, blocks_of(sent, counts, places, types, comm));
  const int status = PMPI_Ialltoallw(sent, counts, places, types, received, received_counts,
                                     received_places, received_types, comm, request);
  return begun(status, request,
               blocks_of(received, received_counts, received_places, received_types, comm));
}

int MPI_Gatherv(const void* sent, int count, MPI_Datatype type, void* received, const int counts[],
                const int places[], MPI_Datatype received_type, int root, MPI_Comm comm) {
  look_at(Moment::sending, {block_of(sent, count, type, root, comm)});
  return over(PMPI_Gatherv(sent, count, type, received, counts, places, received_type, root, comm),
              at_root(received, counts, places, received_type, root, comm));
}

int MPI_Igatherv(const void* sent, int count, MPI_Datatype type, void* received, const int counts[],
                 const int places[], MPI_Datatype received_type, int root, MPI_Comm comm,
                 MPI_Request* request) {
  look_at(Moment::sending, {block_of(sent, count, type, root, comm)});
  const int status = PMPI_Igatherv(sent, count, type, received, counts, places, received_type, root,
                                   comm, request);
  return begun(status, request, at_root(received, counts, places, received_type, root, comm));
}

int MPI_Scatterv(const void* sent, const int counts[], const int places[], MPI_Datatype type,
                 void* received, int count, MPI_Datatype received_type, int root, MPI_Comm comm) {
  look_at(Moment::sending, at_root(const_cast<void*>(sent), counts, places, type, root, comm));
  return over(PMPI_Scatterv(sent, counts, places, type, received, count, received_type, root, comm),
              {block_of(received, count, received_type, root, comm)});
}

int MPI_Iscatterv(const void* sent, const int counts[], const int places[], MPI_Datatype type,
                  void* received, int count, MPI_Datatype received_type, int root, MPI_Comm comm,
                  MPI_Request* request) {
  look_at(Moment::sending, at_root(const_cast<void*>(sent), counts, places, type, root, comm));
  const int status = PMPI_Iscatterv(sent, counts, places, type, received, count, received_type,
                                    root, comm, request);
  return begun(status, request, {block_of(received, count, received_type, root, comm)});
}
}
