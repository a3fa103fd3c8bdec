// Messages between pretended devices, in one process: a group whose only member sends to itself, as
// plans never do.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>
#include <weft/error.hpp>

#include "device/backend_device.hpp"
#include "device/emulated_device.hpp"
#include "job/device_connections.hpp"
#include "support/error_checks.hpp"

namespace weft {
namespace {

using test::error_of;
using Message = DeviceMessages::Message;

/// A device, and a group that has no other member.
struct Lonely {
  std::shared_ptr<DeviceBackend> backend = make_emulated_backend(EmulatedOrder::lazy);
  OfferedGroup group = backend->offer_group(1);
  std::unique_ptr<DeviceMessages> messages = backend->make_messages(group.name);

  Lonely() { messages->join(1, 0); }

  /// A copy of the device's memory.
  std::vector<char> read(const std::shared_ptr<std::byte>& memory, std::size_t bytes) const {
    std::vector<char> found(bytes);
    backend->stream().copy(found.data(), memory.get(), bytes);
    backend->stream().synchronize();
    return found;
  }
  SharedMark send(std::byte* from, std::size_t sent, std::byte* to, std::size_t received) const {
    const Message out{0, from, sent}, in{0, to, received};
    const SharedMark written = backend->stream().mark();
    SharedMark end;
    while (!end) end = messages->exchange({&out, 1}, {&in, 1}, *written);
    return end;
  }
};

/// Sends what begins a byte later.
class Shifting : public DeviceMessages {
 public:
  explicit Shifting(DeviceMessages& messages) : messages_(messages) {}
  void join(int, int) override {}
  void give_up() noexcept override {}
  SharedMark exchange(std::span<const Message> sent, std::span<const Message> received,
                      const Mark& after) override {
    std::vector<Message> others(sent.begin(), sent.end());
    for (Message& message : others) ++message.memory;
    return messages_.exchange(others, received, after);
  }

 private:
  DeviceMessages& messages_;
};

TEST(DeviceMessages, ArriveInOrderAndNotBefore) {
  const Lonely lonely;
  constexpr std::size_t bytes = 3000, count = 50;
  const auto from = lonely.backend->allocate(bytes), to = lonely.backend->allocate(count * bytes);
  lonely.backend->clear(to.get(), count * bytes);
  std::vector<SharedMark> ends;
  for (std::size_t number = 0; number < count; ++number) {
    const std::vector<char> values(bytes, static_cast<char>(number + 1));
    lonely.backend->stream().copy(from.get(), values.data(), bytes);
    ends.push_back(lonely.send(from.get(), bytes, to.get() + number * bytes, bytes));
  }
  EXPECT_EQ(lonely.read(to, count * bytes), std::vector<char>(count * bytes, 0))
      << "nobody waits for them yet";
  lonely.backend->stream().wait_for(*ends[count / 2]);
  std::vector<char> expected(count * bytes, 0);
  for (std::size_t number = 0; number <= count / 2; ++number)
    std::memset(&expected[number * bytes], static_cast<int>(number + 1), bytes);
  EXPECT_EQ(lonely.read(to, count * bytes), expected);
}

TEST(DeviceMessages, OfAnotherSizeAreAnError) {
  const Lonely lonely;
  const auto memory = lonely.backend->allocate(64);
  const SharedMark end = lonely.send(memory.get(), 16, memory.get() + 32, 24);
  test::expect_error([&] { end->is_over(); }, {"16 bytes came where 24 were expected"});
}

/// A stream that waits for a message that never comes would not end.
TEST(DeviceMessages, MayBeGivenUp) {
  const Lonely lonely;
  const auto memory = lonely.backend->allocate(64);
  const Message never{0, memory.get(), 64};
  const SharedMark end =
      lonely.messages->exchange({}, {&never, 1}, *lonely.backend->stream().mark());
  lonely.backend->stream().wait_for(*end);
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(end->is_over());
  lonely.messages->give_up();
  lonely.backend->stream().synchronize();
  EXPECT_TRUE(end->is_over());
  const auto exchange_again = [&] {
    lonely.messages->exchange({}, {&never, 1}, *lonely.backend->stream().mark());
  };
  EXPECT_EQ(error_of(exchange_again), "messages between devices have been given up");
}

TEST(DeviceMessages, ConnectionsAreTriedWhilePlanning) {
  const Lonely lonely;
  const auto device = make_backend_device(lonely.backend);
  DeviceConnections(*device, 0, {0}).make(*lonely.messages);
  Shifting shifting(*lonely.messages);
  EXPECT_EQ(error_of([&] { DeviceConnections(*device, 0, {0}).make(shifting); }),
            "a message from the device of rank 0 arrived wrong at rank 0");
}

}  // namespace
}  // namespace weft
