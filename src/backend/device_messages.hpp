// Messages that a device's own library carries between the device memories of two processes, in the
// order of a stream: the host neither copies nor waits.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "backend/stream.hpp"

namespace weft {

/// Identifies a group, so that its processes can find each other: plain data, to be sent.
using GroupName = std::array<std::byte, 128>;

struct OfferedGroup {
  GroupName name{};
  std::shared_ptr<void> until_joined;  ///< kept until all members have joined
};

/// A member of a group of processes, with a stream of its own.
class DeviceMessages {
 public:
  struct Message {
    int peer = 0;  ///< a member of the group
    std::byte* memory = nullptr;
    std::size_t bytes = 0;
  };

  virtual ~DeviceMessages() = default;
  /// Joins the group as member `self`. Collective over the members. Throws an Error if the group
  /// cannot be joined.
  virtual void join(int members, int self) = 0;
  /// Puts these messages on the stream. They start together, once everything before the mark
  /// `after` is done. The messages of two members must match in order and size. Returns the mark of
  /// their end; null while the device cannot take them, and the caller retries. Asking the mark
  /// throws an Error if messages have failed.
  virtual SharedMark exchange(std::span<const Message> sent, std::span<const Message> received,
                              const Mark& after) = 0;
  /// Aborts messages under way without waiting for them: after an error, peers may never send.
  /// Nothing can be exchanged any more.
  virtual void give_up() noexcept = 0;
};

}  // namespace weft
