// Declares the functions that are used as the manual of NCCL 2 does, which RCCL repeats:
// https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/api.html
#include "gpu/communicator.hpp"

#include <bit>
#include <utility>

#include "machine/opened_library.hpp"

namespace weft {
namespace {

using Communicator = ncclComm*;
using Status = int;  // ncclResult_t
constexpr Status succeeded = 0;
constexpr int bytes_as_they_are = 0;  // ncclInt8

/// ncclUniqueId, which is passed by value.
struct UniqueId {
  char internal[128];
};
static_assert(sizeof(UniqueId) == sizeof(GroupName));

struct Nccl {
  Status (*version)(int*);
  Status (*new_id)(UniqueId*);
  Status (*join)(Communicator*, int, UniqueId, int);
  Status (*destroy)(Communicator);
  Status (*abort)(Communicator);
  Status (*state)(Communicator, Status*);
  Status (*begin)();
  Status (*end)();
  Status (*send)(const void*, std::size_t, int, int, Communicator, runtime::StreamHandle);
  Status (*receive)(void*, std::size_t, int, int, Communicator, runtime::StreamHandle);
  const char* (*text)(Status);
  const char* (*last_error)(Communicator);
};

Nccl load() {
  const VendorLibrary& vendor = runtime::message_library;
  const RequiredLibrary library(
      vendor.file, "messages between GPUs need " + std::string(vendor.name) + " 2.13 or newer");
  Nccl nccl{};
  library.look_up("ncclGetVersion", nccl.version);
  library.look_up("ncclGetUniqueId", nccl.new_id);
  library.look_up("ncclCommInitRank", nccl.join);
  library.look_up("ncclCommDestroy", nccl.destroy);
  library.look_up("ncclCommAbort", nccl.abort);
  library.look_up("ncclCommGetAsyncError", nccl.state);
  library.look_up("ncclGroupStart", nccl.begin);
  library.look_up("ncclGroupEnd", nccl.end);
  library.look_up("ncclSend", nccl.send);
  library.look_up("ncclRecv", nccl.receive);
  library.look_up("ncclGetErrorString", nccl.text);
  library.look_up("ncclGetLastError", nccl.last_error);
  return nccl;
}

const Nccl& nccl() {
  static const Nccl functions = load();
  return functions;
}

void require(Status status, const char* call, Communicator communicator = nullptr) {
  if (status == succeeded) return;
  const char* const more = nccl().last_error(communicator);
  throw Error(std::string(call) + ": " + nccl().text(status) +
              (more != nullptr && *more != '\0' ? std::string(": ") + more : ""));
}

}  // namespace

std::string message_library_version() {
  int code = 0;
  require(nccl().version(&code), "ncclGetVersion");
  return std::string(runtime::message_library.name) + " " + std::to_string(code / 10000) + "." +
         std::to_string(code % 10000 / 100) + "." + std::to_string(code % 100);
}

GroupName new_group_name() {
  UniqueId id{};
  require(nccl().new_id(&id), "ncclGetUniqueId");
  return std::bit_cast<GroupName>(id);
}

GpuCommunicator::GpuCommunicator(const GroupName& name, int members, int self) {
  require(nccl().join(&communicator_, members, std::bit_cast<UniqueId>(name), self),
          "ncclCommInitRank");
}

GpuCommunicator::~GpuCommunicator() {
  if (communicator_ != nullptr) nccl().destroy(communicator_);
}

/// Always ends the group of calls that it has begun. Otherwise NCCL would take later calls of this
/// thread for a part of it.
void GpuCommunicator::exchange(std::span<const DeviceMessages::Message> sent,
                               std::span<const DeviceMessages::Message> received,
                               runtime::StreamHandle stream) {
  if (communicator_ == nullptr) throw Error("messages between devices have been given up");
  require(nccl().begin(), "ncclGroupStart");
  Status status = succeeded;
  for (const DeviceMessages::Message& message : sent)
    if (status == succeeded)
      status = nccl().send(message.memory, message.bytes, bytes_as_they_are, message.peer,
                           communicator_, stream);
  for (const DeviceMessages::Message& message : received)
    if (status == succeeded)
      status = nccl().receive(message.memory, message.bytes, bytes_as_they_are, message.peer,
                              communicator_, stream);
  const Status ended = nccl().end();
  require(status, "ncclSend or ncclRecv", communicator_);
  require(ended, "ncclGroupEnd", communicator_);
}

void GpuCommunicator::check() const {
  if (communicator_ == nullptr) return;
  Status status = succeeded;
  require(nccl().state(communicator_, &status), "ncclCommGetAsyncError");
  require(status, runtime::message_library.name, communicator_);
}

void GpuCommunicator::give_up() {
  if (communicator_ != nullptr) nccl().abort(std::exchange(communicator_, nullptr));
}

}  // namespace weft
