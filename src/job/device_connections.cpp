// A pattern depends on its sender and its receiver, which reveals a message at the wrong place.
#include "job/device_connections.hpp"

#include <fmt/format.h>

#include <optional>

#include "machine/until.hpp"

namespace weft {
namespace {

constexpr std::size_t pattern_bytes = 4096;
constexpr double patience = 60;  // seconds: connections to many ranks take a while

std::vector<std::byte> pattern(int from, int to) {
  std::vector<std::byte> bytes(pattern_bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(i * 7 + static_cast<std::size_t>(from) * 31 +
                                      static_cast<std::size_t>(to) * 59 + i / 256);
  return bytes;
}

template <class Done>
void await(const Done& done, int rank) {
  if (!until(done, patience))
    throw Error(
        fmt::format("messages between devices did not reach rank {} within {} s", rank, patience));
}

}  // namespace

DeviceConnections::DeviceConnections(Device& device, int rank, const std::vector<int>& peers)
    : device_(device),
      rank_(rank),
      memory_(device.memory().allocate(2 * pattern_bytes * peers.size(), "the first messages")) {
  std::vector<std::vector<std::byte>> patterns;
  for (const int peer : peers) {
    std::byte* const place = memory_.data() + 2 * pattern_bytes * sent_.size();
    patterns.push_back(pattern(rank, peer));
    device.copy(place, patterns.back().data(), pattern_bytes);
    sent_.push_back({peer, place, pattern_bytes});
    received_.push_back({peer, place + pattern_bytes, pattern_bytes});
  }
  device.synchronize();
}

void DeviceConnections::make(DeviceMessages& messages) {
  const SharedMark written = device_.stream()->mark();
  SharedMark arrived;
  const auto is_taken = [&] {
    arrived = messages.exchange(sent_, received_, *written);
    return arrived != nullptr;
  };
  await(is_taken, rank_);
  await([&] { return arrived->is_over(); }, rank_);
  device_.stream()->wait_for(*arrived);
  for (const DeviceMessages::Message& message : received_) {
    std::vector<std::byte> found(pattern_bytes);
    device_.copy(found.data(), message.memory, pattern_bytes);
    device_.synchronize();
    if (found != pattern(message.peer, rank_))
      throw Error(fmt::format("a message from the device of rank {} arrived wrong at rank {}",
                              message.peer, rank_));
  }
}

DeviceMessages* connected_messages(const Communicator& communicator, Device& device,
                                   const std::vector<int>& peers) {
  DeviceMessages* const messages = device.join_messages(communicator);
  std::optional<DeviceConnections> connections;
  try {
    agree(communicator, [&] { connections.emplace(device, communicator.rank(), peers); });
    agree(communicator, [&] { connections->make(*messages); });
  } catch (...) {  // the same on all ranks; memory cannot be freed while messages use it
    messages->give_up();
    throw;
  }
  return messages;
}

}  // namespace weft
