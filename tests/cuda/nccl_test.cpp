// What the plugin asks of NCCL, of a pretended one: members are threads.
#include "cuda/nccl.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>
#include <weft/error.hpp>

namespace weft {
namespace {

using Message = DeviceMessages::Message;

/// Runs `work(group, self)` as each member of a new group.
void as_members(int members, const std::function<void(NcclGroup&, int)>& work) {
  const GroupName name = new_nccl_name();
  std::vector<std::jthread> threads;
  for (int self = 0; self < members; ++self)
    threads.emplace_back([&, self] {
      NcclGroup group(name, members, self);
      work(group, self);
      group.close();
    });
}

std::vector<std::byte> bytes_of(int from, int to, std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<std::byte>(i * 3 + static_cast<std::size_t>(from * 17 + to * 5));
  return bytes;
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Nccl, SaysItsVersion) { EXPECT_EQ(nccl_version(), "NCCL 2.28.9"); }

/// Several exchanges, each with messages of another size to and from every other member.
TEST(Nccl, BlocksGoToAllMembers) {
  constexpr int members = 4;
  as_members(members, [](NcclGroup& group, int self) {
    for (const std::size_t size : {1, 1000, 70000}) {
      std::vector<std::vector<std::byte>> sent(members), received(members);
      std::vector<Message> outgoing, incoming;
      for (int peer = 0; peer < members; ++peer) {
        const auto place = static_cast<std::size_t>(peer);
        if (peer == self) continue;
        sent[place] = bytes_of(self, peer, size + place);
        received[place].resize(size + static_cast<std::size_t>(self));
        outgoing.push_back({peer, sent[place].data(), sent[place].size()});
        incoming.push_back({peer, received[place].data(), received[place].size()});
      }
      group.exchange(outgoing, incoming, nullptr);
      group.check();
      for (int peer = 0; peer < members; ++peer) {
        if (peer == self) continue;
        const auto& found = received[static_cast<std::size_t>(peer)];
        EXPECT_EQ(found, bytes_of(peer, self, found.size())) << peer << " to " << self;
      }
    }
  });
}

TEST(Nccl, WhatItRefusesIsAnError) {
  as_members(1, [](NcclGroup& group, int) {
    std::byte one{};
    const Message message{3, &one, 1};
    const std::string error = error_of([&] { group.exchange({&message, 1}, {}, nullptr); });
    EXPECT_NE(error.find("ncclSend: invalid usage: no such peer"), std::string::npos) << error;
  });
}

/// What has gone wrong on the way is thrown by who asks later.
TEST(Nccl, AFailureOnTheWayIsAnError) {
  as_members(2, [](NcclGroup& group, int self) {
    std::vector<std::byte> memory(64);
    const Message message{1 - self, memory.data(), memory.size()};
    const Message other{1 - self, memory.data(), memory.size() / 2};
    error_of([&] { group.exchange({&message, 1}, {&other, 1}, nullptr); });
    const std::string error = error_of([&] { group.check(); });
    EXPECT_NE(error.find("network error"), std::string::npos) << error;
  });
}

TEST(Nccl, AGroupThatIsFullIsAnError) {
  const GroupName name = new_nccl_name();
  NcclGroup group(name, 1, 0);
  const std::string error = error_of([&] { NcclGroup(name, 1, 0); });
  EXPECT_NE(error.find("ncclCommInitRank: invalid usage: Duplicate GPU detected"),
            std::string::npos)
      << error;
}

}  // namespace
}  // namespace weft
