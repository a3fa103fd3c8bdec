// NCCL, or RCCL with the same functions: messages between GPUs by the links between them, PCIe or
// the network.
#pragma once

#include <span>
#include <string>

#include "gpu/runtime.hpp"

namespace weft {

struct ncclComm;  // the library's own

/// "NCCL 2.28.9". Throws an Error if the library is missing.
std::string message_library_version();

/// A name for a new group: ncclGetUniqueId.
GroupName new_group_name();

/// One communicator of the library, for the thread's current GPU.
class GpuCommunicator {
 public:
  /// Collective: ncclCommInitRank.
  GpuCommunicator(const GroupName& name, int members, int self);
  /// Ends the group; no message may be under way.
  ~GpuCommunicator();
  GpuCommunicator(const GpuCommunicator&) = delete;
  GpuCommunicator& operator=(const GpuCommunicator&) = delete;

  void exchange(std::span<const DeviceMessages::Message> sent,
                std::span<const DeviceMessages::Message> received, runtime::StreamHandle stream);
  /// Throws an Error if something has failed since the last check.
  void check() const;
  /// Aborts messages under way, and the group, which cannot be used any more: ncclCommAbort.
  void give_up();

 private:
  ncclComm* communicator_ = nullptr;  // null: it has been given up
};

}  // namespace weft
