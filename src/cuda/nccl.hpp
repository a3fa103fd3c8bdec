// NCCL, which carries messages between GPUs by NVLink, PCIe or the network.
#pragma once

#include <cuda_runtime_api.h>

#include <span>
#include <string>

#include "backend/device_messages.hpp"

namespace weft {

struct ncclComm;  // NCCL's own

/// "NCCL 2.28.9". Throws an Error if there is no NCCL.
std::string nccl_version();

/// A name for a new group: ncclGetUniqueId.
GroupName new_nccl_name();

/// One communicator of NCCL, for the thread's current GPU.
class NcclGroup {
 public:
  /// Collective: ncclCommInitRank.
  NcclGroup(const GroupName& name, int members, int self);
  /// Ends the group; no message may be under way.
  ~NcclGroup();
  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;

  void exchange(std::span<const DeviceMessages::Message> sent,
                std::span<const DeviceMessages::Message> received, cudaStream_t stream);
  /// Throws an Error if something has failed since the last check.
  void check() const;
  /// Aborts messages under way, and the group, which cannot be used any more: ncclCommAbort.
  void give_up();

 private:
  ncclComm* communicator_ = nullptr;  // null: it has been given up
};

}  // namespace weft
